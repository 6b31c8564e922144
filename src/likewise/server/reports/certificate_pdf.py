"""A certificate as one page of PDF: the same facts give the same bytes whenever it is drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from likewise.catalogue import Words
from likewise.model import WORDINGS
from likewise.report.characters import in_one_line, shorten
from likewise.report.figures import SHARE_NAMES, four_shares, tenths
from likewise.report.pdf import FONTS, breakable, missing_glyphs, typeset
from likewise.server.qr_code import qr_code_svg
from likewise.server.reports.certificate import CertificateFacts, CertifiedCheck

LONGEST_LINE, LONGEST_FILE = 300, 90  # characters of what is typed, of the name of a file
REPLACEMENT = "\ufffd"  # in the place of what no font can draw


def certificate_pdf(number: int, code: str, facts: CertificateFacts) -> bytes:
    """The page that departments file; `code` as people read it, in groups."""
    words = Words(facts.language)
    data = _data(number, code, facts, words)
    missing = set(missing_glyphs({each for text in _texts(data) for each in text}))
    data = _drawable(data, missing)
    contents = {
        "certificate.typ": files(__package__).joinpath("certificate.typ").read_bytes(),
        "certificate.json": json.dumps(data, ensure_ascii=False).encode(),
        "code.svg": qr_code_svg(address_of_code(code, facts.verify_at)),
    }
    return typeset(contents, "certificate.typ", _moment(facts.issued_on), archivable=True)


def address_of_code(code: str, verify_at: str) -> str:
    """What the QR code holds: the page that says whether it is genuine; else the code alone."""
    return f"{verify_at}/{code}" if verify_at else code


def _data(number: int, code: str, facts: CertificateFacts, words: Words) -> dict[str, Any]:
    check, moment = facts.check, _moment(facts.issued_on)
    whole = check.shares.whole or 1
    shares = four_shares(check.shares)
    where = words("certificates.where", address=facts.verify_at.partition("://")[2])
    return {
        "language": facts.language,
        "fonts": FONTS,
        "timestamp": {
            name: getattr(moment, name)
            for name in ("year", "month", "day", "hour", "minute", "second")
        },
        "institution": _line(facts.institution),
        "title": words("certificates.title"),
        "subtitle": words("certificates.subtitle"),
        "number": words("certificates.number", number=str(number), date=words.day(facts.issued_on)),
        "facts": _rows(facts, words),
        "shares_heading": words("certificates.shares"),
        "shares": [
            [name, words(f"shares.{name}"), words.percent(share), share]
            if not check.uncounted
            else [name, words(f"shares.{name}"), "–", 0]
            for name, share in zip(SHARE_NAMES, shares, strict=True)
        ],
        "by_kind": _by_kind(check, words),
        "explained": words("shares.explained"),
        "remarks": list(_remarks(check, words)),
        "sources_heading": words("certificates.sources"),
        "sources": [
            [in_one_line(source.name), words.share(source.counted / whole)]
            for source in check.sources
        ],
        "all_sources": check.all_sources,
        "no_sources": words(
            "certificates.none_counted"
            if check.copied_tables or check.copied_pictures
            else "certificates.no_sources"
        ),
        # How many do not fit is known when the page is set: a sentence for each number.
        "more": [words("certificates.more", n=n) for n in range(check.all_sources + 1)],
        "code": code,
        "verify": where if facts.verify_at else words("certificates.where_unknown"),
        "verify_heading": words("certificates.verify"),
        "signature": words("certificates.signature"),
        "signed_on": words("certificates.signed_on"),
        "maker": f"Likewise {check.version} · {in_one_line(check.recipe)}",
        "hash": _hash(check, words),
    }


def _hash(check: CertifiedCheck, words: Words) -> str:
    """By which the very file is known again."""
    name = words("made.hash" if check.is_file else "made.text_hash")
    return f"{name}: {check.sha256}" if check.sha256 else ""


def _rows(facts: CertificateFacts, words: Words) -> list[tuple[str, str]]:
    check = facts.check
    length = [words("count.words", n=check.words)]
    if check.pages:
        length.insert(0, words("count.pages", n=check.pages))
    compared = [words("count.documents", n=check.documents)]
    if check.on_web:
        compared.append(words("certificates.internet"))
    counted = [words(f"wording.{each}") for each in check.count]
    counts = f"{words('certificates.counts')}: {', '.join(counted)}"
    settings = [counts, *_settings(check, words)]
    rows = [
        ("certificates.author", _line(facts.author)),
        ("certificates.work", _line(facts.title)),
        ("certificates.supervisor", _line(facts.supervisor)),
        ("certificates.file", f"{shorten(check.document, LONGEST_FILE)} ({', '.join(length)})"),
        ("certificates.checked_on", words.day(check.checked_on)),
        ("certificates.compared", ", ".join(compared)),
        ("certificates.settings", "; ".join(settings)),
        ("certificates.issued_by", _line(facts.issued_by)),
    ]
    return [(words(key), breakable(value)) for key, value in rows if value]


def _settings(check: CertifiedCheck, words: Words) -> list[str]:
    """What was counted otherwise than usual."""
    told = []
    for name, value in check.counting.items():
        key = f"counting.{name}"
        if name == "count" or not words.has(key):
            continue
        if isinstance(value, bool):
            said = words("yes" if value else "no")
        elif isinstance(value, list | tuple):
            said = words.number(len(value))
        else:
            said = str(value).replace(".", words.decimal_sign)
        told.append(f"{words(key)}: {said}")
    return told


def _by_kind(check: CertifiedCheck, words: Words) -> str:
    """The similar text by its wording, as it counts."""
    similar = four_shares(check.shares)[SHARE_NAMES.index("similar")]
    chars = {each: getattr(check.wordings, each) for each in WORDINGS if each in check.count}
    if check.uncounted or not check.shares.similar or sum(chars.values()) != check.shares.similar:
        return ""
    parts = tenths(list(chars.values()), check.shares.similar, similar)
    told = [
        f"{words(f'wording.{each}')} {words.percent(part)}"
        for each, part in zip(chars, parts, strict=True)
    ]
    return words("certificates.by_kind", list=", ".join(told))


def _remarks(check: CertifiedCheck, words: Words) -> Iterator[str]:
    """What the figures do not tell."""
    if check.uncounted:
        yield words(f"verdict.{check.uncounted}")
    if check.copied_tables:
        yield words("verdict.copied_tables", n=check.copied_tables)
    if check.copied_pictures:
        yield words("verdict.copied_pictures", n=check.copied_pictures)
    if check.in_part:
        yield words("certificates.in_part")
    if check.disguises:
        yield words("certificates.disguised")
    if check.taken_out:
        yield words("certificates.taken_out")


def _line(text: str) -> str:
    return shorten(in_one_line(text), LONGEST_LINE)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _drawable(value: Any, missing: set[str]) -> Any:
    """The same, with a sign of its own in the place of what no font can draw."""
    if isinstance(value, str):
        return "".join(REPLACEMENT if each in missing else each for each in value)
    if isinstance(value, dict):
        return {key: _drawable(each, missing) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_drawable(each, missing) for each in value]
    return value


def _moment(date: str) -> datetime:
    return datetime.fromisoformat(date).astimezone(UTC)
