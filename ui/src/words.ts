// Every word for people, from the one catalogue that Python's renderers read too; the rules are
// those of src/likewise/catalogue/words.py.

import { computed, inject, ref, shallowRef, watch, type ComputedRef, type InjectionKey, type Ref } from "vue";

import { LANGUAGES, NAMES, SIGNS, type Language } from "./languages";

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

const TEXTS: Readonly<Record<Language, Record<string, Text>>> = {
  en: { "language.name": NAMES.en },
  ru: { "language.name": NAMES.ru },
  kk: { "language.name": NAMES.kk },
};

/** Words that are still to come, and how. */
const MORE = new Map<Language, () => Promise<Catalogue>>();
const arrived = shallowRef(0); // whoever missed a word is drawn anew

/**
 * The words of a language, before any are said: a page brings those that it needs. `more` brings the
 * others, as soon as one of them is missed.
 */
export function addCatalogue(
  language: Language,
  words: Catalogue,
  more?: () => Promise<Catalogue>,
): void {
  Object.assign(TEXTS[language], words);
  if (!more) return;
  let coming: Promise<Catalogue> | null = null;
  MORE.set(language, () => (coming ??= more().finally(() => (coming = null))));
}

/** Brings the words of a language that are still to come. */
export async function completeWords(language: Language): Promise<void> {
  const more = MORE.get(language);
  if (!more) return;
  const words = await more();
  if (!MORE.delete(language)) return; // somebody else has added them
  Object.assign(TEXTS[language], words);
  arrived.value++;
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
    const entry = this.texts[key] ?? (this.isComing() ? "" : key);
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
    if (key in this.texts) return true;
    this.isComing();
    return false;
  }

  /** Whether a word that is missed may still come; if so it is asked for. */
  private isComing(): boolean {
    if (!MORE.has(this.language)) return false;
    void arrived.value;
    completeWords(this.language).catch(() => undefined); // asked for again when the next is missed
    return true;
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

  /** A moment by the clock of the reader, whose zone it names; a day without a time as it is. */
  dateTime(iso: string): string {
    const here = localTime(iso);
    return here === iso ? this.day(iso) : `${this.day(here)}, ${here.slice(11, 16)} ${zone(iso)}`;
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

const WORDS = Object.fromEntries(LANGUAGES.map((each) => [each, new Words(each)])) as Record<
  Language,
  Words
>;

/** A moment as ISO 8601 would write it with the reader's clock; a day without a time as it is. */
export function localTime(iso: string): string {
  const time = iso.length > 10 ? new Date(iso) : null;
  if (!time || Number.isNaN(time.getTime())) return iso;
  const shifted = new Date(time.getTime() - 60_000 * time.getTimezoneOffset());
  return shifted.toISOString().slice(0, 19);
}

/** "(UTC+5)": how far the reader's clock was ahead at that moment. */
function zone(iso: string): string {
  const minutes = -new Date(iso).getTimezoneOffset();
  if (!minutes) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const sign = minutes < 0 ? "−" : "+";
  return `(UTC${sign}${hours}${rest ? `:${String(rest).padStart(2, "0")}` : ""})`;
}

/** The language the page speaks now, and its words. */
export interface Speech {
  language: Ref<Language>;
  words: ComputedRef<Words>;
}

export const SPEECH: InjectionKey<Speech> = Symbol("speech");

/** `load` brings the words of a language that is chosen later; until then the page speaks on. */
export function speech(first: Language, load?: (chosen: Language) => Promise<void>): Speech {
  const language = ref<Language>(first);
  if (!load) return { language, words: computed(() => WORDS[language.value]) };
  const spoken = ref<Language>(first);
  watch(language, async (chosen) => {
    try {
      await load(chosen);
      if (language.value === chosen) spoken.value = chosen;
    } catch {
      language.value = spoken.value; // there is no way to its words now
    }
  });
  return { language, words: computed(() => WORDS[spoken.value]) };
}

/** The words of the page, in any component: `const words = useWords()`, `words.say("yes")`. */
export function useWords(): ComputedRef<Words> {
  return inject(SPEECH)!.words;
}
