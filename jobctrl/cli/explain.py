"""`jobctrl explain`: how a piece of a posting is read, with the words each value came from. Nothing is stored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from jobctrl.cli.output import Json, emit, plain

app = typer.Typer(
    help="Show how a posting's words are read. Each value comes with the words it was read from.",
    invoke_without_command=True,
)
NOWHERE = "https://example.invalid/"
"""The address of a file of which nobody said where it was saved from."""
LONGEST_QUOTE = 70
Text = Annotated[str, typer.Argument(help="The text; `-` reads it from standard input.")]
Country = Annotated[str | None, typer.Option(help="The posting's country, ISO alpha-2.")]


@app.callback()
def explained(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def pay(text: Text, country: Country = None, as_json: Json = False) -> None:
    """Pay: state, currency, period, low, high, component."""
    from jobctrl.postings.pay import read_pay

    _show(pay_document(read_pay(_given(text), country=country.upper() if country else None)), as_json)


@app.command()
def place(text: Text, country: Country = None, as_json: Json = False) -> None:
    """Places and work mode."""
    from jobctrl.postings.place import read_place

    _show(place_document(read_place(_given(text), country=country.upper() if country else None)), as_json)


@app.command()
def date(text: Text, as_json: Json = False) -> None:
    """A date, or the bound that relative words give."""
    from datetime import UTC, datetime

    from jobctrl.postings.dates import read_date

    _show(date_document(read_date(_given(text), now=datetime.now(UTC))), as_json)


@app.command()
def identity(url: Text, as_json: Json = False) -> None:
    """Which posting an address names."""
    from jobctrl.postings.identity import read_identity

    _show(plain(read_identity(_given(url))), as_json)


@app.command()
def page(
    target: Annotated[str, typer.Argument(help="A file of HTML, or an address that is then fetched.")],
    url: Annotated[str | None, typer.Option(help="The address a file was saved from.")] = None,
    web: Annotated[str, typer.Option(help="live, recorded:DIR or record:DIR.")] = "live",
    as_json: Json = False,
) -> None:
    """A posting's page: every field with its tier and span."""
    from datetime import UTC, datetime

    from jobctrl.enrichment.cascade import read_page
    from jobctrl.errors import SourceUnavailable
    from jobctrl.network.model import Refused, Request, Response
    from jobctrl.network.open import open_web

    now = datetime.now(UTC)
    if target.startswith(("http://", "https://")):
        door = open_web(web)
        try:
            answer = door.fetch(Request(target))
        finally:
            door.close()
        if isinstance(answer, Refused):
            raise SourceUnavailable(f"{target} was not fetched: {answer.reason.value}.", hint=answer.detail or None)
        reading = read_page(answer, url=target, now=now)
    else:
        body = _file(Path(target))
        address = url or NOWHERE
        reading = read_page(Response(address, 200, "text/html", body), url=address, now=now)
    _show(_without_nowhere(page_document(reading)), as_json)


def _without_nowhere(document: dict[str, Any]) -> dict[str, Any]:
    """What is only known against the stand-in for an address that nobody gave is not known."""
    if str(document["apply_link"]).startswith(NOWHERE):
        document["apply_link"] = None
        document["sources"].pop("apply_url", None)
    if document["url"] == NOWHERE:
        document["url"] = None
    return document


def pay_document(reading: Any) -> dict[str, Any]:
    """`{state, currency, period, low, high, component, span, warnings}`, and `zones` where there are several ranges."""
    document = {
        name: plain(getattr(reading, name))
        for name in ("state", "currency", "period", "low", "high", "component", "span", "warnings")
    }
    if reading.zones:
        document["zones"] = [pay_document(zone) for zone in reading.zones]
    return document


def place_document(reading: Any) -> dict[str, Any]:
    """`{places: [{city, region, country}], mode, conflict, span, warnings}`; `spans` holds every one."""
    document = plain(reading)
    spans = document.pop("spans")
    return {
        "places": document["places"],
        "mode": document["mode"],
        "conflict": document["conflict"],
        "span": spans[0] if spans else None,
        "spans": spans,
        "warnings": document["warnings"],
    }


def date_document(reading: Any) -> dict[str, Any]:
    """`{day, at, bound, span, warnings}`."""
    return dict(plain(reading))


def page_document(reading: Any) -> dict[str, Any]:
    """Title, company, places, pay, dates and the rest, each with the tier and the span it came from."""
    facts = reading.facts
    return {
        "url": reading.url,
        "kind": plain(reading.kind),
        "title": reading.title,
        "company": reading.company,
        "places": plain(facts.place.places),
        "mode": plain(facts.place.mode),
        "conflict": facts.place.conflict,
        "pay": pay_document(facts.pay),
        "published": plain(facts.published.day),
        "updated": plain(facts.updated.day),
        "valid_through": plain(facts.valid_through.day),
        "employment_type": facts.employment_type,
        "description_length": len(reading.description),
        "apply_link": reading.apply_url,
        "language": facts.language.language,
        "active_state": plain(reading.active.state.openness),
        "active": plain(reading.active),
        "tier": plain(reading.tier),
        "confidence": plain(reading.confidence),
        "quarantine": plain(reading.quarantine),
        "sources": plain(dict(reading.sources)),
        "warnings": plain(reading.warnings),
    }


def _given(text: str) -> str:
    return sys.stdin.read() if text == "-" else text


def _file(path: Path) -> bytes:
    from jobctrl.errors import MissingInput

    try:
        return path.read_bytes()
    except OSError as error:
        raise MissingInput(
            f"{path} cannot be read: {error.strerror}.", hint="Give a file of HTML, or an address."
        ) from error


def _show(document: dict[str, Any], as_json: bool) -> None:
    if as_json:
        emit(document)
        return
    for name, value in document.items():
        if value in (None, [], {}, ""):
            continue
        if name == "sources":
            typer.echo("read from:")
            for field, source in value.items():
                typer.echo(f"  {field}: {_line(source)}")
        else:
            typer.echo(f"{name}: {_line(value)}")


def _line(value: Any) -> str:
    if isinstance(value, dict) and value.keys() == {"start", "end", "text", "field"}:
        words = " ".join(value["text"].split())
        shown = words if len(words) <= LONGEST_QUOTE else f"{words[:LONGEST_QUOTE]}…"
        return f'"{shown}" ({value["field"]} {value["start"]}-{value["end"]})'
    if isinstance(value, dict):
        return ", ".join(f"{key} {_line(each)}" for key, each in value.items() if each not in (None, [], ""))
    if isinstance(value, list):
        return "; ".join(_line(each) for each in value)
    return str(value)
