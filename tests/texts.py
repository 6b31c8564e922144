"""Paragraphs that share nothing, for tests that copy from one into another."""

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
