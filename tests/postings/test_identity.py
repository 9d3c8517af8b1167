"""Two addresses of one posting give one key, two postings never do."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.identity import board_of, canonical_url, employer_key, read_identity, title_key

UUID = "0f6a2a4e-93a1-4a55-9d1b-1c2d3e4f5a6b"
OTHER = "1f6a2a4e-93a1-4a55-9d1b-1c2d3e4f5a6b"

ONE_POSTING = {
    "greenhouse::4011223": [
        "https://boards.greenhouse.io/acme/jobs/4011223",
        "https://boards.greenhouse.io/acme/jobs/4011223?gh_src=abc",
        "https://job-boards.greenhouse.io/acme/jobs/4011223#app",
        "https://job-boards.eu.greenhouse.io/acme/jobs/4011223",
        "https://boards-api.greenhouse.io/v1/boards/acme/jobs/4011223",
        "https://boards.greenhouse.io/embed/job_app?for=acme&token=4011223",
        "https://acme.example/careers?gh_jid=4011223",
        "https://www.acme.example/jobs/engineer/?utm_source=x&gh_jid=4011223",
    ],
    f"lever::{UUID}": [
        f"https://jobs.lever.co/acme/{UUID}",
        f"https://jobs.lever.co/acme/{UUID}/apply?lever-source=LinkedIn",
        f"https://jobs.eu.lever.co/acme/{UUID}",
        f"https://api.lever.co/v0/postings/acme/{UUID}",
    ],
    f"ashby::{UUID}": [
        f"https://jobs.ashbyhq.com/acme/{UUID}",
        f"https://jobs.ashbyhq.com/acme/{UUID}/application",
        f"https://acme.example/jobs?ashby_jid={UUID}",
    ],
    "smartrecruiters::744000123456789": [
        "https://jobs.smartrecruiters.com/Acme/744000123456789-senior-engineer",
        "https://jobs.smartrecruiters.com/Acme/744000123456789",
        "https://api.smartrecruiters.com/v1/companies/Acme/postings/744000123456789",
    ],
    "workable::0A1B2C3D4E": [
        "https://apply.workable.com/acme/j/0A1B2C3D4E/",
        "https://apply.workable.com/acme/j/0A1B2C3D4E/apply/",
        "https://apply.workable.com/j/0a1b2c3d4e",
    ],
    "recruitee:acme:data-engineer": [
        "https://acme.recruitee.com/o/data-engineer",
        "https://acme.recruitee.com/o/data-engineer/c/new",
        "https://acme.recruitee.com/l/en/o/data-engineer",
    ],
    "personio:acme:123456": [
        "https://acme.jobs.personio.de/job/123456",
        "https://acme.jobs.personio.com/job/123456?language=en",
    ],
    "teamtailor:acme:987654": [
        "https://acme.teamtailor.com/jobs/987654-backend-developer",
        "https://acme.teamtailor.com/en/jobs/987654-backend-developer",
    ],
    "workday:acme:R-12345": [
        "https://acme.wd5.myworkdayjobs.com/External/job/Austin-TX/Engineer_R-12345",
        "https://acme.wd5.myworkdayjobs.com/en-US/External/job/Austin-TX/Engineer_R-12345",
        "https://acme.wd5.myworkdayjobs.com/en-US/External/job/Engineer_R-12345/apply/applyManually",
        "https://acme.wd5.myworkdayjobs.com/wday/cxs/acme/External/job/Austin-TX/Engineer_R-12345",
        "https://wd5.myworkdaysite.com/en-US/recruiting/acme/External/job/Austin-TX/Engineer_R-12345",
    ],
    "linkedin::3812345678": [
        "https://www.linkedin.com/jobs/view/3812345678/",
        "https://de.linkedin.com/jobs/view/senior-engineer-at-acme-3812345678?trk=public&refId=x",
        "https://www.linkedin.com/jobs/search/?currentJobId=3812345678&keywords=python",
    ],
    "indeed::0123456789abcdef": [
        "https://www.indeed.com/viewjob?jk=0123456789abcdef",
        "https://de.indeed.com/viewjob?jk=0123456789abcdef&from=serp",
    ],
}


@pytest.mark.parametrize(("key", "url"), [(key, url) for key, urls in ONE_POSTING.items() for url in urls])
def test_all_addresses_of_a_posting_give_its_key(key, url):
    assert read_identity(url).key == key


@pytest.mark.parametrize(
    "urls",
    [
        ("https://acme.example/careers?gh_jid=1", "https://acme.example/careers?gh_jid=2"),
        ("https://acme.example/jobs?ref=12", "https://acme.example/jobs?ref=13"),
        ("https://acme.example/jobs?src=a", "https://acme.example/jobs?src=b"),
        ("https://acme.example/#/jobs/1", "https://acme.example/#/jobs/2"),
        ("https://acme.example/#!jobs/1", "https://acme.example/#!jobs/2"),
        ("https://acme.example/careers#engineer", "https://acme.example/careers#designer"),
        (f"https://jobs.lever.co/acme/{UUID}", f"https://jobs.lever.co/acme/{OTHER}"),
        (f"https://jobs.lever.co/acme/{UUID}", f"https://jobs.ashbyhq.com/acme/{UUID}"),
        ("https://acme.recruitee.com/o/engineer", "https://other.recruitee.com/o/engineer"),
        ("https://acme.jobs.personio.de/job/1", "https://other.jobs.personio.de/job/1"),
        (
            "https://acme.wd5.myworkdayjobs.com/Ext/job/X/Engineer_R1",
            "https://other.wd5.myworkdayjobs.com/Ext/job/X/Engineer_R1",
        ),
        (
            "https://acme.wd5.myworkdayjobs.com/Ext/job/X/Engineer_R1",
            "https://acme.wd5.myworkdayjobs.com/Ext/job/X/Engineer_R2",
        ),
        ("https://jobs.workable.com/view/0A1B2C3D4E", "https://apply.workable.com/acme/j/0A1B2C3D4E/"),
        ("https://acme.example/jobs/1", "https://acme.example/Jobs/1"),
    ],
)
def test_two_postings_never_share_a_key(urls):
    keys = [read_identity(url).key for url in urls]

    assert None not in keys
    assert len(set(keys)) == len(urls)


@pytest.mark.parametrize(
    "url", ["", "  ", "not a url", "mailto:jobs@acme.example", "https://", "http://[bad", "https://acme.example/"]
)
def test_what_names_no_posting_has_no_key(url):
    assert read_identity(url).key is None


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTPS://Acme.Example:443/Jobs/1/", "https://acme.example/Jobs/1"),
        ("http://acme.example:80/jobs", "http://acme.example/jobs"),
        ("https://acme.example/jobs/1?utm_source=a&utm_medium=b", "https://acme.example/jobs/1"),
        ("https://acme.example/jobs/1?gclid=1&id=7&fbclid=2", "https://acme.example/jobs/1?id=7"),
        ("https://acme.example/jobs?b=2&a=1", "https://acme.example/jobs?a=1&b=2"),
        ("https://acme.example/%7euser/caf%c3%a9", "https://acme.example/~user/caf%C3%A9"),
        ("https://acme.example/café", "https://acme.example/caf%C3%A9"),
        ("https://acme.example/jobs/1#apply", "https://acme.example/jobs/1"),
        ("https://acme.example/#/jobs/1", "https://acme.example#/jobs/1"),
        ("https://acme.example/jobs?ref=x&src=y&source=z", "https://acme.example/jobs?ref=x&source=z&src=y"),
    ],
)
def test_an_address_has_one_spelling(url, canonical):
    assert canonical_url(url) == canonical


def test_what_was_dropped_is_named():
    assert read_identity("https://acme.example/jobs/1?utm_source=a&ref=b&gclid=c").dropped == ("utm_source", "gclid")


_WORD = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=8).filter(lambda w: w.strip("-"))
_NAMES = st.sampled_from(["id", "gh_jid", "ref", "src", "job", "page"])
_NOISE = st.sampled_from(["utm_source=x", "utm_campaign=y%20z", "gclid=1", "fbclid=2", "gh_src=q", "lever-source=L"])


@given(
    st.lists(_WORD, min_size=1, max_size=4),
    st.dictionaries(_NAMES, _WORD, max_size=3),
    st.lists(_NOISE, max_size=3),
    st.randoms(use_true_random=False),
)
def test_noise_order_case_and_slashes_change_no_key(path, query, noise, random):
    fields = [f"{name}={value}" for name, value in query.items()]
    plain = f"https://acme.example/{'/'.join(path)}" + (f"?{'&'.join(fields)}" if fields else "")
    mixed = [*fields, *noise]
    random.shuffle(mixed)
    noisy = f"HTTPS://ACME.example:443/{'/'.join(path)}/?{'&'.join(mixed)}"

    assert read_identity(noisy).key == read_identity(plain).key


@given(st.lists(st.tuples(_WORD, st.dictionaries(_NAMES, _WORD, max_size=2)), min_size=2, max_size=6))
def test_addresses_that_differ_in_more_than_noise_stay_apart(pages):
    for (one, first), (other, second) in combinations(pages, 2):
        # One Greenhouse id is one posting wherever it is shown.
        shared = first.get("gh_jid", "").isdigit() and first.get("gh_jid") == second.get("gh_jid")
        if (one, first) == (other, second) or shared:
            continue
        keys = {
            read_identity(f"https://acme.example/{path}?{'&'.join(f'{n}={v}' for n, v in fields.items())}").key
            for path, fields in ((one, first), (other, second))
        }
        if first.get("gh_jid", "").isdigit() or second.get("gh_jid", "").isdigit() or first != second or one != other:
            assert len(keys) == 2


@given(st.text(max_size=80))
def test_any_text_is_read_and_the_canonical_form_is_final(text):
    reading = read_identity(text)

    assert reading.key is None or reading.key.strip()
    assert canonical_url(canonical_url(text)) == canonical_url(text)


@pytest.mark.parametrize(
    ("url", "board"),
    [
        ("https://boards.greenhouse.io/acme", ("greenhouse", "acme")),
        ("https://boards.greenhouse.io/embed/job_board?for=acme", ("greenhouse", "acme")),
        ("https://boards-api.greenhouse.io/v1/boards/acme/jobs", ("greenhouse", "acme")),
        (f"https://jobs.lever.co/acme/{UUID}", ("lever", "acme")),
        ("https://api.lever.co/v0/postings/acme?mode=json", ("lever", "acme")),
        ("https://jobs.ashbyhq.com/acme", ("ashby", "acme")),
        ("https://api.ashbyhq.com/posting-api/job-board/acme", ("ashby", "acme")),
        ("https://careers.smartrecruiters.com/Acme", ("smartrecruiters", "Acme")),
        ("https://apply.workable.com/acme/", ("workable", "acme")),
        ("https://acme.recruitee.com", ("recruitee", "acme")),
        ("acme.jobs.personio.de", ("personio", "acme.jobs.personio.de")),
        ("https://acme.teamtailor.com/jobs", ("teamtailor", "acme.teamtailor.com")),
        ("https://acme.wd5.myworkdayjobs.com/External", ("workday", "acme.wd5.myworkdayjobs.com/acme/External")),
        (
            "https://acme.wd5.myworkdayjobs.com/en-US/External/job/X/Y_R1",
            ("workday", "acme.wd5.myworkdayjobs.com/acme/External"),
        ),
        ("https://acme.example/careers", None),
        ("https://boards.greenhouse.io", None),
        ("", None),
    ],
)
def test_the_board_of_an_address_is_known(url, board):
    assert board_of(url) == board


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme, Inc.", "ACME"),
        ("Acme GmbH & Co. KG", "acme"),
        ("Nestlé S.A.", "Nestle"),
        ("Foo Sp. z o.o.", "Foo"),
        ("株式会社青空", "青空"),
        ("Fish & Chips Ltd", "Fish and Chips"),
    ],
)
def test_one_employer_has_one_key(one, other):
    assert employer_key(one) == employer_key(other)


def test_employers_in_other_scripts_are_not_one_employer():
    names = ["青空商事", "桜電機", "Яблоко", "תפוח", "تفاحة", "सेब"]

    assert len({employer_key(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["", "   ", "!!!", "🙂", None])
def test_an_empty_key_is_no_key(name):
    assert employer_key(name) is None
    assert title_key(name) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Data Engineer (m/w/d)", "Data Engineer"),
        ("Data Engineer (all genders)", "data engineer"),
        ("Data Engineer - R12345", "Data Engineer"),
        ("Data  Engineer", "Data Engineer"),
        ("Ingénieur données H/F", "Ingenieur donnees"),
    ],
)
def test_one_title_has_one_key(one, other):
    assert title_key(one) == title_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C Developer", "C++ Developer"), ("C Developer", "C# Developer"), ("Engineer I", "Engineer II")]
)
def test_two_titles_keep_two_keys(one, other):
    assert title_key(one) != title_key(other)
