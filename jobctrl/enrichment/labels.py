"""The words by which pages label their facts, show an apply button and head a list of other jobs."""

from __future__ import annotations

from enum import StrEnum

from jobctrl.enrichment.wording import pattern
from jobctrl.postings.text import fold


class Fact(StrEnum):
    LOCATION = "location"
    WORK_MODE = "work_mode"
    EMPLOYMENT_TYPE = "employment_type"
    PAY = "pay"
    PUBLISHED = "published"
    UPDATED = "updated"
    DEADLINE = "deadline"
    COMPANY = "company"


_LABELS: dict[Fact, str] = {
    Fact.LOCATION: """
        location, locations, job location, work location, primary location, office location, place of work, workplace, duty station, city,
        standort, arbeitsort, einsatzort, dienstort, ort, lieu, lieu de travail, localisation, lieu du poste, ville, localización,
        ubicación, lugar de trabajo, lugar, ciudad, localidad, local, localidade, local de trabalho, localização, cidade, sede,
        sede di lavoro, luogo, luogo di lavoro, località, locatie, standplaats, werklocatie, plaats, lokalizacja, miejsce pracy,
        plats, ort, arbetsort, placering, arbejdssted, sted, arbeidssted, sijainti, paikkakunta, työpaikan sijainti, työn sijainti,
        lokalita, místo pracoviště, místo výkonu práce, miesto práce, munkavégzés helye, locația, loc de muncă, asukoht, töökoht,
        местоположение, место работы, город, konum, çalışma yeri, şehir, địa điểm, địa điểm làm việc, nơi làm việc, lokasi,
        lokasi kerja, 勤務地, 勤務地・交通, 勤務先, 勤務場所, 就業場所, 工作地点, 工作地點, 上班地點, 근무지, 근무지역, 근무위치, موقع العمل, الموقع
    """,
    Fact.WORK_MODE: """
        work mode, work model, working model, work arrangement, workplace type, location type, remote type, remote, remote work,
        work type remote, work setting, remote status, arbeitsmodell, homeoffice, home office, remote-arbeit, télétravail,
        mode de travail, modalité de travail, modalidad, modalidad de trabajo, modalidade, modelo de trabalho, regime de trabalho,
        teletrabajo, teletrabalho, modalità di lavoro, smart working, thuiswerken, werkvorm, tryb pracy, model pracy, distansarbete,
        fjernarbejde, hjemmekontor, etätyö, etätyömahdollisuus, formát práce, kaugtöö, формат работы, çalışma şekli,
        勤務形態, リモートワーク, 工作方式, 근무형태, 근무방식
    """,
    Fact.EMPLOYMENT_TYPE: """
        employment type, job type, type of employment, contract type, position type, work type, employment, schedule, time type,
        working time, worker type, commitment, hours, job schedule, worker sub-type, vertragsart, beschäftigungsart,
        anstellungsart, arbeitszeit, art der beschäftigung, type de contrat, contrat, type d'emploi, temps de travail,
        tipo de contrato, tipo de empleo, jornada, tipo de jornada, jornada laboral, tipo de vaga, tipo de emprego, horário,
        regime de contratação, tipo di contratto, contratto, orario di lavoro, dienstverband, soort dienstverband, contractvorm,
        rodzaj umowy, wymiar pracy, typ umowy, etat, anställningsform, omfattning, anställningstyp, ansættelsesform,
        ansettelsesform, heltid / deltid, työsuhde, työaika, työsuhteen tyyppi, typ úvazku, druh pracovného pomeru,
        munkaidő, tip angajare, töökoormus, тип занятости, занятость, çalışma türü, hình thức làm việc, loại hình công việc,
        jenis pekerjaan, 雇用形態, 職種形態, 工作类型, 工作性质, 工作性質, 고용형태, 고용 형태
    """,
    Fact.PAY: """
        salary, salary range, pay, pay range, compensation, compensation range, wage, wages, rate, pay rate, base salary, hourly rate,
        salary & benefits, package, remuneration, base pay, base pay range, annual salary, gehalt, vergütung, lohn, gehaltsspanne,
        entgelt, salaire, rémunération, fourchette de salaire, salario, sueldo, remuneración, rango salarial, salário,
        faixa salarial, remuneração, retribuzione, stipendio, ral, salaris, salarisindicatie, loon, wynagrodzenie, widełki, lön,
        løn, lønn, palkka, palkkaus, plat, mzda, mzdové podmienky, fizetés, bér, salariu, palk, зарплата, заработная плата, maaş,
        ücret, mức lương, thu nhập, lương, gaji, 給与, 給料, 時給, 月給, 年収, 想定年収, 賃金, 薪资, 薪資, 薪酬, 工资, 待遇, 급여, 연봉
    """,
    Fact.PUBLISHED: """
        posted, date posted, posted on, posting date, post date, published, published on, publication date, date published, job posted,
        listed, listed on, open date, opening date, veröffentlicht, veröffentlicht am, veröffentlichungsdatum, online seit,
        eingestellt am, publié le, date de publication, mise en ligne, publicado, publicado el, fecha de publicación, publicada,
        publicado em, data de publicação, data da publicação, pubblicato, pubblicato il, data di pubblicazione, geplaatst,
        geplaatst op, plaatsingsdatum, opublikowano, data publikacji, dodano, publicerad, publicerades, offentliggjort,
        publisert, julkaistu, ilmoitus julkaistu, zveřejněno, datum zveřejnění, zverejnené, közzétéve, publicat, avaldatud,
        опубликовано, дата публикации, yayın tarihi, ngày đăng, tanggal posting, 掲載日, 掲載開始日, 公開日, 发布时间, 发布日期,
        刊登日期, 등록일, 게시일
    """,
    Fact.UPDATED: """
        updated, last updated, last modified, date updated, aktualisiert, zuletzt aktualisiert, mis à jour, mis à jour le,
        actualizado, última actualización, atualizado, atualizado em, aggiornato, bijgewerkt, zaktualizowano, uppdaterad,
        opdateret, oppdatert, päivitetty, aktualizováno, обновлено, güncellendi, cập nhật, 最終更新日, 更新日, 更新时间, 수정일
    """,
    Fact.DEADLINE: """
        closing date, closes, closes on, closing on, deadline, application deadline, apply by, apply before, applications close,
        application closing date, expires, expires on, expiry date, expiration date, valid through, valid until, end date of posting,
        job closes, last date to apply, last date, close date, bewerbungsfrist, bewerbungsschluss, bewerben bis, gültig bis,
        date limite, date limite de candidature, date limite pour postuler, date de clôture, expire le, fecha límite,
        fecha de cierre, cierre, plazo de inscripción, data limite, prazo, prazo de candidatura, data de encerramento,
        expira em, candidaturas até, scadenza, data di scadenza, candidature entro, sluitingsdatum, reageren voor,
        solliciteren voor, termin składania, ważna do, aplikuj do, oferta ważna do, sista ansökningsdag, ansök senast,
        ansøgningsfrist, søknadsfrist, hakuaika päättyy, viimeinen hakupäivä, hakuaika, uzávěrka, termín, jelentkezési határidő,
        termen limită, kandideerimise tähtaeg, tähtaeg, срок подачи, son başvuru tarihi, hạn nộp hồ sơ, hạn nộp, batas lamaran,
        応募締切, 締切日, 募集終了日, 掲載終了日, 截止日期, 申请截止, 마감일, 접수마감
    """,
    Fact.COMPANY: """
        company, company name, employer, organisation, organization, hiring organization, hiring organisation, client, agency,
        arbeitgeber, unternehmen, firma, entreprise, employeur, société, recruteur, empresa, empleador, empregador, azienda,
        datore di lavoro, bedrijf, werkgever, organisatie, pracodawca, företag, arbetsgivare, virksomhed, arbejdsgiver,
        arbeidsgiver, työnantaja, yritys, zaměstnavatel, společnost, zamestnávateľ, munkáltató, angajator, tööandja,
        работодатель, компания, işveren, şirket, công ty, perusahaan, 会社名, 企業名, 勤務先企業, 社名, 公司, 公司名称, 회사명, 기업명
    """,
}
_BY_LABEL = {
    fold(" ".join(label.split())): fact for fact, labels in _LABELS.items() for label in labels.split(",") if label.strip()
}
LONGEST_LABEL = max(map(len, _BY_LABEL)) + 3



def label_of(text: str) -> Fact | None:
    """The fact that a label names: the whole of a short text, a colon after it left out."""
    if not text or len(text) > LONGEST_LABEL:
        return None
    return _BY_LABEL.get(fold(text).strip(" :：*・-–—|\u00a0"))


def is_apply(text: str) -> bool:
    """Whether the words of a button or link offer to apply."""
    words = fold(" ".join(text.split()))
    return 0 < len(words) <= 60 and pattern("apply").match(words) is not None


def heads_other_jobs(text: str) -> bool:
    """Whether a heading stands above a list of other postings."""
    words = fold(" ".join(text.split()))
    return 0 < len(words) <= 80 and pattern("other_jobs").match(words) is not None
