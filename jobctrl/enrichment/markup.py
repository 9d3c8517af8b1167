"""Markup that applicant systems and job boards document or have kept for years: where each fact of a posting stands."""

from __future__ import annotations

TITLE = (
    "[data-automation-id=jobPostingHeader]",  # Workday
    "[data-automation=job-detail-title]",  # SEEK, JobStreet
    "[data-testid=jobsearch-JobInfoHeader-title], .jobsearch-JobInfoHeader-title",  # Indeed
    ".top-card-layout__title, .topcard__title, .job-details-jobs-unified-top-card__job-title",  # LinkedIn
    ".posting-headline h2",  # Lever
    "h1.app-title, .job__title h1",  # Greenhouse
    ".ashby-job-posting-heading",  # Ashby
    "[data-ui=job-title]",  # Workable
    "h1.job-title, .jobad-header h1",  # SmartRecruiters
    ".iCIMS_Header h1, h1.iCIMS_Header",  # iCIMS
    "[data-testid=job-title], [data-test=job-title]",
    "[data-qa=job-title], [data-qa=vacancy-title], [data-at=header-job-title]",
    ".oracletaleocwsv2-job-description > strong",  # Taleo
    "[data-careersite-propertyid=title]",  # SuccessFactors
)
COMPANY = (
    "[data-automation=advertiser-name]",
    "[data-testid=inlineHeader-companyName], [data-company-name=true]",
    ".topcard__org-name-link, .topcard__flavor--black-link, .job-details-jobs-unified-top-card__company-name",
    "[data-test=employerName], [data-testid=company-name]",
    "[data-qa=vacancy-company-name], [data-at=header-company-name]",
    ".company-name, .companyName, .job-company-name, .employer-name",
)
LOCATION = (
    "[data-automation-id=locations] dd",
    "[data-automation=job-detail-location]",
    "[data-testid=inlineHeader-companyLocation]",
    "[data-testid=job-location], [data-testid=jobsearch-JobInfoHeader-companyLocation]",
    ".topcard__flavor--bullet, .job-details-jobs-unified-top-card__bullet",
    ".posting-categories .location",
    ".job__location, .app-title + .location, #header .location",
    "[data-ui=job-location]",
    "[data-test=location], [data-qa=vacancy-view-location], [data-at=header-location]",
    "[data-careersite-propertyid=location], [data-careersite-propertyid=city]",
)
WORK_MODE = (
    ".posting-categories .workplaceTypes",
    "[data-automation-id=remoteType] dd",
    "[data-ui=job-workplace]",
    "[data-qa=work-formats-text]",
)
EMPLOYMENT = (
    "[data-automation=job-detail-work-type]",
    "[data-automation-id=time] dd",
    ".posting-categories .commitment",
    "[data-ui=job-type]",
    "[data-qa=vacancy-view-employment-mode], [data-at=metadata-work-type]",
    "[data-careersite-propertyid=shifttype]",
)
PAY = (
    "[data-automation=job-detail-salary]",
    "#salaryInfoAndJobType > span:first-child",
    ".compensation__salary-range, .compensation__salary",
    "[data-test=detailSalary], [data-testid=salary], [data-qa=vacancy-salary], [data-at=metadata-salary]",
    ".pay-range, .salary-range, .job__pay",
)
PUBLISHED = (
    "[data-automation-id=postedOn] dd",
    ".posted-time-ago__text",
    "[data-testid=job-posted-date], [data-at=metadata-online-date]",
    "[data-careersite-propertyid=date]",
)
DESCRIPTION = (
    "[data-automation-id=jobPostingDescription]",
    "[data-automation=jobAdDetails]",
    "#jobDescriptionText",
    ".show-more-less-html__markup, .description__text",
    "[data-qa=job-description], [data-qa=vacancy-description]",
    ".posting-page .content, .section-wrapper.page-full-width",
    ".job__description, #content.job-content",
    "[data-ui=job-description]",
    ".jobad-main, .job-sections",
    ".iCIMS_JobContent",
    "[data-careersite-propertyid=description], .jobdescription",
    "#job-description, #jobDescription, #job-details",
    ".job-description, .jobDescription, .job_description, .vacancy-description",
    ".ats-description, .job-desc, .job-detail-description, .jobDetail, .JobDetails_jobDescription",
)
APPLY = (
    "[data-automation-id=adventureButton]",
    "[data-automation=job-detail-apply]",
    ".postings-btn, .template-btn-submit",
    "#indeedApplyButton, [data-testid=applyButton]",
    ".iCIMS_ApplyOnlineButton, .apply-button, .btn-apply, .job-apply",
)
