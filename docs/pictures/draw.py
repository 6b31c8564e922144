"""Draws find.svg: a real run, as the README shows it.

python docs/pictures/draw.py
"""

import html
import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COMMAND = ["find", "examples/essays", "--threshold", "0.2"]
COLUMNS = 100
LETTER_WIDTH = 12.2  # as Rich draws them

# A window of its own, so that it reads on light and dark pages alike.
BACKGROUND, LETTERS = (27, 31, 39), (214, 219, 227)
COLOURS = [
    (72, 79, 92),
    (240, 110, 105),  # red
    (140, 200, 120),
    (236, 185, 90),  # yellow
    (110, 160, 235),
    (190, 140, 225),
    (95, 190, 200),  # cyan
    (214, 219, 227),
]
THEME = TerminalTheme(BACKGROUND, LETTERS, COLOURS, COLOURS)

# Rich's own frame, with fonts that are there already instead of some from the web.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px;
  line-height: {line_height}px;
}}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def main() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "likewise.cli", *COMMAND],
        cwd=ROOT,
        env=os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble((" $ ", "dim"), ("likewise " + " ".join(COMMAND), "bold")))
    console.print()
    for line in ran.stdout.splitlines():
        console.print(Text(" ") + Text.from_ansi(line), soft_wrap=True)
    console.print()
    picture = console.export_svg(title="", theme=THEME, code_format=FRAME, unique_id="find")
    (HERE / "find.svg").write_text(tidy(picture), encoding="utf-8")


def tidy(picture: str) -> str:
    """Text without spaces around it: some programs drop those, and all that follows would slip."""

    def closer(text: re.Match[str]) -> str:
        words = text["words"].replace("&#160;", "\xa0")
        bare = words.strip("\xa0\n")
        if not bare:
            return ""
        x = float(text["x"]) + LETTER_WIDTH * (len(words) - len(words.lstrip("\xa0\n")))
        length = LETTER_WIDTH * len(html.unescape(bare))
        bare = bare.replace("\xa0", "&#160;")
        return f'{text["head"]}x="{x:g}" y="{text["y"]}" textLength="{length:g}">{bare}</text>\n'

    picture = re.sub(
        r'(?P<head><text class="[^"]+" )x="(?P<x>[^"]+)" y="(?P<y>[^"]+)"[^>]*>'
        r"(?P<words>[^<]*)</text>",
        closer,
        picture,
    )
    picture = re.sub(r'<clipPath id="find-line.*?</clipPath>', "", picture, flags=re.DOTALL)
    return "".join(f"{line.strip()}\n" for line in picture.splitlines() if line.strip())


if __name__ == "__main__":
    main()
