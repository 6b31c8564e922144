// Slices of a document's text by code points. JavaScript counts UTF-16 units: a stretch that holds
// characters beyond the first 65,536 gets a table of where its code points begin, made once.

import type { Span, TextView } from "./view";

const SURROGATES = /[\ud800-\udfff]/;

/** A text that is sliced by code points. */
export class Stretch {
  readonly length: number;
  private readonly units: Uint32Array | null;

  constructor(
    readonly start: number,
    private readonly text: string,
  ) {
    this.units = SURROGATES.test(text) ? unitsOf(text) : null;
    this.length = this.units ? this.units.length - 1 : text.length;
  }

  get end(): number {
    return this.start + this.length;
  }

  get whole(): string {
    return this.text;
  }

  /** From one place of the document to another, as far as the stretch holds it. */
  slice(start: number, end: number): string {
    const from = Math.min(Math.max(start - this.start, 0), this.length);
    const to = Math.min(Math.max(end - this.start, from), this.length);
    return this.units
      ? this.text.slice(this.units[from], this.units[to])
      : this.text.slice(from, to);
  }
}

function unitsOf(text: string): Uint32Array {
  const units = new Uint32Array(text.length + 1);
  let count = 0;
  for (let unit = 0; unit < text.length; count++) {
    units[count] = unit;
    unit += text.codePointAt(unit)! > 0xffff ? 2 : 1;
  }
  units[count] = text.length;
  return units.slice(0, count + 1);
}

/** The stretches of a document that the report holds. */
export class Stretches {
  private readonly all: Stretch[];

  constructor(view: TextView) {
    this.all = view.stretches.map(([start, text]) => new Stretch(start, text));
  }

  /** The stretch that a place lies in, if the report holds it. */
  around(place: number): Stretch | null {
    let [low, high] = [0, this.all.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const stretch = this.all[middle]!;
      if (place < stretch.start) high = middle - 1;
      else if (place >= stretch.end) low = middle + 1;
      else return stretch;
    }
    return null;
  }

  /** From one place to another, or nothing where the report does not hold all of it. */
  slice(start: number, end: number): string | null {
    const stretch = this.around(start);
    return stretch && end <= stretch.end ? stretch.slice(start, end) : null;
  }
}

const cache = new WeakMap<TextView, Stretches>();

/** The stretches of a document, prepared once. */
export function stretchesOf(view: TextView): Stretches {
  let found = cache.get(view);
  if (!found) cache.set(view, (found = new Stretches(view)));
  return found;
}

/**
 * The text as it is read on a screen: lines that ended where the paper did go on, as long as it is
 * the document's own pages that broke them. No place moves: each sign stays one sign.
 */
export function flowingOf(view: TextView): Stretch | null {
  const stretch = stretchesOf(view).around(0);
  if (!stretch || !view.pages.length) return stretch;
  let found = flowing.get(stretch);
  if (!found) flowing.set(stretch, (found = new Stretch(stretch.start, flow(stretch.whole))));
  return found;
}

const flowing = new WeakMap<Stretch, Stretch>();
const NARROWEST = 30; // signs in a line of a page; less is a list, a poem or a table
const ITEM = /^(?:\s|[-–—•*]\s|\d+(?:\.\d+)*[.)]?\s)/;
const LEADERS = /(?:[.·…_]\s?){4}/; // of a table of contents
const HYPHENATED = /\p{L}-$/u;

export function flow(text: string): string {
  const lines = text.split("\n");
  const lengths = lines.map((line) => line.length).filter((length) => length > NARROWEST / 2);
  lengths.sort((x, y) => x - y);
  const width = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  if (width < NARROWEST) return text;
  return lines.reduce((whole, next, i) => {
    const line = lines[i - 1]!;
    // Another word did not fit; where a sentence ends, a paragraph may have ended by chance.
    const word = /^\S*/.exec(next)![0];
    const isEnd = /[.!?:;»"”]$/.test(line) && !/^\p{Ll}/u.test(next);
    const isFull = line.length + 1 + word.length > width * (isEnd ? 1 : 0.85);
    if (!line || !word || !isFull || ITEM.test(next) || LEADERS.test(line + next))
      return `${whole}\n${next}`;
    return whole + (HYPHENATED.test(line) && /^\p{Ll}/u.test(next) ? "\u200b" : " ") + next;
  });
}

// Controls but line feed and tab, and the marks that turn the direction of what follows: a text may
// hold them to make the page look other than it is.
const CONTROLS = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]",
    "[\\ud800-\\udbff](?![\\udc00-\\udfff])",
    "(?<![\\ud800-\\udbff])[\\udc00-\\udfff]",
  ].join("|"),
  "g",
);

/** The text with a harmless sign in place of each control character, one for one. */
export function harmless(text: string): string {
  return text.replace(CONTROLS, (sign) => {
    const code = sign.charCodeAt(0);
    if (code === 0x0d) return " ";
    if (code === 0x0c) return "\n";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return "\ufffd";
  });
}

export interface Piece {
  text: string;
  mark: number; // which of the marked places it is; -1 where it is none
}

/** A slice cut where marked places begin and end; nothing where the report does not hold it. */
export function pieces(text: TextView, place: Span, marked: readonly Span[]): Piece[] | null {
  const stretches = stretchesOf(text);
  if (stretches.slice(place[0], place[1]) === null) return null;
  const found: Piece[] = [];
  const add = (start: number, end: number, mark: number) => {
    if (start < end) found.push({ text: harmless(stretches.slice(start, end)!), mark });
  };
  let at = place[0];
  marked.forEach(([start, end], i) => {
    const [from, to] = [Math.max(start, at), Math.min(end, place[1])];
    if (from >= to) return;
    add(at, from, -1);
    add(from, to, i);
    at = to;
  });
  add(at, place[1], -1);
  return found;
}
