"""Documents that share text, for the reports of all kinds."""

from likewise.model import Document, Page, Span

RIVER = (
    "The river leaves the mountains through a narrow gate of red stone. In spring it carries "
    "branches, ice and sometimes a drowned sheep, and the people of the lower villages move their "
    "gardens away from the bank. By August a child can cross it without wetting the knees, and "
    "herons stand in the pools like thin grey priests waiting for late believers to arrive."
)
MARKET = (
    "On Fridays the square behind the station fills with carts before the sun has cleared the "
    "roofs. Women sell sour milk in green bottles, old men sell screws by weight, and somebody "
    "always sells a clock that has stopped. Nobody asks why it stopped; the price depends on the "
    "hour that its hands still show, for noon is thought to be a lucky time of day."
)
OWN = (
    "My grandmother kept bees on the flat roof of a bakery, where the warmth of the ovens woke "
    "them early. She said that honey from a roof tastes of smoke and of arguments, since the "
    "bakers quarrelled under the hives from four in the morning until the first loaves were out."
)
QUOTED = (
    "As the old guide says, “the pass is closed from the first snow until the wedding month, and "
    "whoever crosses it then crosses it twice” (Akhmetov, 1931, p. 14)."
)


def document(name: str, *paragraphs: str, page_chars: int = 0) -> Document:
    """A text of some paragraphs, with pages of so many characters if asked."""
    text = "\n\n".join(paragraphs)
    starts = range(0, len(text), page_chars) if page_chars else ()
    pages = (Span(start, min(start + page_chars, len(text))) for start in starts)
    return Document(name, text, tuple(Page(i, span) for i, span in enumerate(pages, 1)))


def edited(text: str) -> str:
    """The same with a few words changed."""
    return text.replace("narrow", "wide").replace("sour", "sweet").replace("grey", "old")
