// Every word for people, from the one catalogue that Python's renderers read too; the rules are
// those of src/likewise/catalogue/words.py.

import { computed, inject, ref, type ComputedRef, type InjectionKey, type Ref } from "vue";

import { LANGUAGES, SIGNS, type Language } from "./languages";

export { LANGUAGES, type Language };

type Text = string | Readonly<Record<string, string>>;

export type Catalogue = Readonly<Record<string, Text>>;

/** What there is to tell, as data: a key of the catalogue, and what stands in its places. */
export interface Message {
  key: string;
  values: Readonly<Record<string, Value>>;
}

export type Value = string | number | Message | readonly Value[];

/** Somebody else's words, or those of a Likewise without keys. */
export const VERBATIM = "core.verbatim";

const SIZES = [
  ["gb", 1e9],
  ["mb", 1e6],
  ["kb", 1e3],
] as const;

const TEXTS = Object.fromEntries(LANGUAGES.map((each) => [each, {}])) as Record<
  Language,
  Record<string, Text>
>;

// What reports tell; what a server alone can say, its own pages learn.
const files = import.meta.glob<Catalogue>(
  ["@catalogue/{report,core,reading,corpus,library,internet}/*.json"],
  { eager: true, import: "default" },
);
for (const [path, texts] of Object.entries(files))
  Object.assign(TEXTS[path.split("/").at(-1)!.slice(0, 2) as Language], texts);

/** More words, before any are said: those of the pages around the reports. */
export function addCatalogue(language: Language, more: Catalogue): void {
  Object.assign(TEXTS[language], more);
}

export class Words {
  private readonly texts: Catalogue;
  private readonly plurals: Intl.PluralRules;

  constructor(readonly language: Language) {
    this.texts = TEXTS[language];
    this.plurals = new Intl.PluralRules(language);
  }

  /** A text with its places filled in; an unknown key is shown as it is. */
  say(key: string, values: Readonly<Record<string, Value>> = {}): string {
    const entry = this.texts[key] ?? key;
    let text: string;
    if (typeof entry === "string") text = entry;
    else text = entry[this.plurals.select(Number(values.n))] ?? entry.other ?? entry.many ?? key;
    // One pass over the text: what is filled in is never searched for places again.
    return text.replace(/\{(\w+)(:d|:or|:ranges|:size|!r)?\}/g, (place, name: string, form?: string) => {
      const value = values[name];
      if (value === undefined) return place;
      if (form === ":size" && typeof value === "number") return this.size(value);
      const between = form === ":or" ? ` ${this.say("core.or")} ` : ", ";
      const filled = this.filled(value, between, form === ":d");
      if (form === ":ranges") return filled.replaceAll("-", "–");
      return form === "!r" ? `'${filled}'` : filled;
    });
  }

  /** A message in this language. */
  tell(message: Message): string {
    return this.say(message.key, message.values);
  }

  private filled(value: Value, between: string, isPlain: boolean): string {
    if (typeof value === "string") return value;
    if (typeof value === "number") return isPlain ? String(value) : this.number(value);
    if ("key" in value) return this.tell(value);
    return value.map((each) => this.filled(each, between, isPlain)).join(between);
  }

  has(key: string): boolean {
    return key in this.texts;
  }

  /** A whole number with its thousands apart. */
  number(value: number): string {
    if (!Number.isInteger(value)) return this.decimal(value);
    return String(value).replace(/\B(?=(\d{3})+$)/g, SIGNS[this.language].thousands);
  }

  /** So many bytes as people say it: one decimal, none where it would tell nothing. */
  size(bytes: number): string {
    const [unit, one] = SIZES.find(([, each]) => bytes >= each) ?? SIZES[2];
    const tenths = Math.max(1, Math.round((10 * bytes) / one));
    const [whole, tenth] = [Math.floor(tenths / 10), tenths % 10];
    const isShort = whole < 100 && tenth > 0;
    return this.say(`core.size_${unit}`, {
      n: isShort ? this.decimal(`${whole}.${tenth}`) : this.number(whole),
    });
  }

  /** A number as it is, with the decimal sign of the language. */
  decimal(value: number | string): string {
    return String(value).replace(".", SIGNS[this.language].decimal);
  }

  /** Tenths of a percent as people of this language write them. */
  percent(tenths: number): string {
    const [whole, tenth] = [Math.floor(tenths / 10), tenths % 10];
    const signs = SIGNS[this.language];
    return `${whole}${signs.decimal}${tenth}${signs.percent}`;
  }

  /** A whole percentage, without a tenth that would tell nothing. */
  wholePercent(percent: number): string {
    return this.percent(10 * percent).replace(/[.,]0/, "");
  }

  /** A share of 1 as a percentage. */
  share(value: number): string {
    return this.percent(Math.floor(Math.min(Math.max(value, 0), 1) * 1000 + 0.5));
  }

  /** A share that never says none of what there is, nor all of what is not all. */
  inASentence(tenths: number, count: number, whole: number): string {
    if (tenths <= 0 && count > 0) return this.say("share.less", { share: this.percent(1) });
    if (tenths >= 1000 && count < whole) return this.say("share.more", { share: this.percent(999) });
    return this.percent(tenths);
  }

  /** A day of ISO 8601 as people of this language write it. */
  day(iso: string): string {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(iso) ?? [];
    const name = `month.${Number(month)}`;
    if (!year || !this.has(name)) return iso;
    return this.say("date.day", { day: String(Number(day)), month: this.say(name), year });
  }

  /** A day with its time. */
  dateTime(iso: string): string {
    return iso.length > 10 ? `${this.day(iso)}, ${iso.slice(11, 16)} UTC` : this.day(iso);
  }

  /** "page 4" or "pages 4–6"; nothing where pages are not known. */
  pages(ends: readonly [number, number] | null): string {
    if (!ends) return "";
    const [first, last] = ends;
    return first === last
      ? this.say("page.one", { n: first })
      : this.say("page.several", { first, last });
  }
}

/** The language that the browser asks for, where reports speak it. */
export function languageOfTheBrowser(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const known = LANGUAGES.find((each) => tag.toLowerCase().split("-")[0] === each);
    if (known) return known;
  }
  return "en";
}

const WORDS = Object.fromEntries(LANGUAGES.map((each) => [each, new Words(each)])) as Record<
  Language,
  Words
>;

/** The language the page speaks now, and its words. */
export interface Speech {
  language: Ref<Language>;
  words: ComputedRef<Words>;
}

export const SPEECH: InjectionKey<Speech> = Symbol("speech");

export function speech(first: Language): Speech {
  const language = ref<Language>(first);
  return { language, words: computed(() => WORDS[language.value]) };
}

/** The words of the page, in any component: `const words = useWords()`, `words.say("yes")`. */
export function useWords(): ComputedRef<Words> {
  return inject(SPEECH)!.words;
}
