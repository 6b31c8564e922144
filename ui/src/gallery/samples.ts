// What the components show here: people, documents and jobs that are nowhere else.

import { ref, shallowRef } from "vue";

import type { Job } from "../app/api/jobs";
import { Problem } from "../app/api/client";
import type { CheckShape, Me, NoticeShape } from "../app/api/shapes";
import type { LongColumn } from "../app/parts/LongTable.vue";
import type { Rows } from "../app/parts/rows";
import type { Action } from "../app/use/action";

const ON = "2026-11-15T12:00:00Z";

export const PERSON = {
  id: "1",
  name: "aigul.nur",
  shown_name: "Айгүл Нұрланқызы",
  role: "administrator",
  language: "en",
  email: "aigul@university.kz",
  must_change: false,
  notices: [],
} as unknown as Me;

export const NOTICES = [
  { id: "1", on: ON, by: "dean", act: "password reset", target: null, changed: [], is_new: true },
] as NoticeShape[];

export const NO_CONNECTION = new Problem("no connection", "Connection refused", 0);
export const REFUSED_FILES = new Problem("unsupported file", "Two files cannot be read", 415, {
  files: [
    { name: "photo.heic", reason: "No kind of file that can be read", code: "", values: {} },
    { name: "Дипломная работа.pages", reason: "Encrypted", code: "", values: {} },
  ],
});

const job = (more: Partial<Job>) =>
  ({ id: "1", kind: "check", state: "running", attempts: 1, done: 0, total: 0, ...more }) as Job;
export const JOBS = {
  queued: job({ state: "queued" }),
  running: job({ stage: "reading pages 2/7", done: 34, total: 90, attempts: 2 }),
  unknown: job({ stage: "searching" }),
  unwanted: job({ stage: "measuring", done: 8, total: 10, is_unwanted: true }),
};
export const FAILED = {
  error: "The disk is full.",
  error_code: null,
  error_values: null,
  error_about: null,
};

const check = (name: string, state: CheckShape["state"], similar: number | null) =>
  ({
    id: name,
    name,
    state,
    made_on: ON,
    owner_name: "Борис Ли",
    is_mine: name.startsWith("A"),
    progress: { done: 3, total: 10 },
    summary: similar === null ? null : { ...summary, shares: { similar } },
  }) as unknown as CheckShape;
const summary = { disguises: ["foreign letters"], in_part: true, sources: 12, wordings: null };
export const CHECKS = [
  check("Aral Sea.docx", "done", 0.412),
  check("Қазақ хандығының құрылуы мен дамуы.pdf", "running", null),
  check("thesis-final-FINAL-2.docx", "failed", null),
  check("Астана.odt", "queued", null),
];

export interface SampleRow {
  id: number;
  name: string;
  author: string;
  words: number;
}
const ROWS: SampleRow[] = [
  { id: 1, name: "Aral Sea.docx", author: "Emma Clarke", words: 5310 },
  { id: 2, name: "Қазақ хандығының құрылуы мен дамуы.pdf", author: "Ержан Сәрсенов", words: 18204 },
  { id: 3, name: "Введение в теорию графов.odt", author: "Вера Ким", words: 902 },
];
export const COLUMNS: LongColumn[] = [
  { key: "name", title: "Name", sort: "name" },
  { key: "author", title: "Author", sort: "author", width: "9rem" },
  { key: "words", title: "Words", sort: "words", isNumber: true, width: "6rem" },
];

const rows = (total: number | null, at: Rows<SampleRow>["at"]): Rows<SampleRow> => ({
  total: ref(total),
  problem: shallowRef(null),
  at,
  need: () => undefined,
  loaded: () => [],
  reload: () => undefined,
  turn: ref(0),
  question: ref(0),
});
export const LOADED = rows(5, (index) => ROWS[index]); // two are on their way
export const COMING = rows(null, () => undefined);

export const action = (problem: Problem | null = null, isRunning = false): Action<[]> => ({
  run: () => Promise.resolve(true),
  isRunning: ref(isRunning),
  problem: shallowRef(problem),
});
