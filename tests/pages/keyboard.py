"""Somebody without a mouse: goes from one thing to the next, and always sees where one is."""

from __future__ import annotations

from playwright.sync_api import FileChooser, Locator, Page, TimeoutError, expect

# What has the focus, whether it is what is looked for, and what keeps people from seeing where.
FOCUSED = """(wanted) => {
  const one = document.activeElement, faults = [];
  if (one === document.body) return { at: "the page", isIt: false, faults };
  // A choice is drawn by what stands after it.
  const drawn = getComputedStyle(one).opacity === "0" ? one.nextElementSibling : one;
  const { outlineStyle, outlineWidth } = getComputedStyle(drawn);
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) faults.push("it has no ring");
  const { left, right, top, bottom } = drawn.getBoundingClientRect();
  const [x0, x1] = [Math.max(left, 0), Math.min(right, innerWidth)];
  const [y0, y1] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  const over = document.elementFromPoint((x0 + x1) / 2, (y0 + y1) / 2);
  if (x1 <= x0 || y1 <= y0) faults.push("it is not on the screen");
  else if (over !== one && !(over && (drawn.contains(over) || over.contains(drawn))))
    faults.push(`it stands under ${over?.outerHTML.slice(0, 80)}`);
  const at = one.outerHTML.slice(0, 200);
  return { at, isIt: one === wanted, faults };
}"""
MOST_STOPS = 120


class Keyboard:
    """The keys of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.press = page.keyboard.press
        self.type = page.keyboard.type

    def to(self, one: Locator, *, back: bool = False) -> None:
        """On with the tabulator until the focus is there; all the way it is seen."""
        passed = []
        for _ in range(MOST_STOPS):
            self.press("Shift+Tab" if back else "Tab")
            focused = one.first.evaluate(FOCUSED)
            passed.append(focused["at"][:80])
            assert not focused["faults"], f"nobody sees {focused}"
            if focused["isIt"]:
                return
        raise AssertionError("\n".join((f"the keyboard does not come to {one}:", *passed)))

    def is_on(self, one: Locator) -> None:
        """The focus has come there by itself, and is seen."""
        expect(one).to_be_focused()
        focused = one.evaluate(FOCUSED)
        assert not focused["faults"], f"nobody sees {focused}"

    def go(self, one: Locator, *, back: bool = False) -> None:
        """Come to a button or link and use it."""
        self.to(one, back=back)
        self.press("Enter")

    def write(self, one: Locator, text: str) -> None:
        self.to(one)
        self.type(text)

    def choose_file(self) -> FileChooser:
        """A browser shows its chooser only soon after a key; on a busy machine it may be late."""
        for _ in range(5):
            try:
                with self._page.expect_file_chooser(timeout=12_000) as chooser:
                    self.press("Enter")
                return chooser.value
            except TimeoutError:
                continue
        raise AssertionError("no file can be chosen with the keyboard")
