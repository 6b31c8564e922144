// Many files on their way into the library: sent a few at a time, then read by jobs.

import { computed, onScopeDispose, reactive, ref, type ComputedRef, type Ref } from "vue";

import type { Value } from "../../../words";
import { Problem, sentenceOf, type Sentence } from "../../api/client";
import { watchJob, type Job } from "../../api/jobs";
import type { AddAccepted, Limits } from "../../api/shapes";
import { upload } from "../../api/upload";
import { refusalOf } from "../../use/limits";
import { isArchive, type NamedFile } from "../../parts/file_drop";

export type FileState =
  "waiting" | "sending" | "reading" | "new" | "copy" | "again" | "known" | "unread" | "refused";

export interface Upload {
  key: number;
  chosen: NamedFile;
  state: FileState;
  share: number; // of what is being sent
  document: number | null;
  reason: Sentence | null; // of the server
  problem: Problem | null;
  inside: Outcome[]; // of an archive
}

interface Outcome {
  name: string;
  id: number | null;
  state: FileState;
  reason: string | null;
  code: string | null;
  values: Record<string, Value> | null;
}

const MOST_FILES = 20; // in one request
const MOST_BYTES = 16_000_000;
const AGAIN_MS = 2_000; // after which a lost connection is tried again
const TRIES = 30;

export interface UploadQueue {
  files: Upload[];
  isGoingOn: ComputedRef<boolean>;
  job: Ref<Job | null>;
  unmatched: Ref<string[] | null>; // rows of the table that fit no file
  add: (chosen: NamedFile[]) => void;
  start: (request: Record<string, unknown>, table: NamedFile | null) => Promise<void>;
  clear: () => void;
  stop: () => void;
}

export function useUploadQueue(limits: Readonly<Ref<Limits | null>>): UploadQueue {
  const files = reactive<Upload[]>([]);
  const job = ref<Job | null>(null);
  const unmatched = ref<string[] | null>(null);
  const running = ref(0);
  let stopping = new AbortController();
  let last = 0;
  const isGoingOn = computed(() => running.value > 0);
  onScopeDispose(() => stopping.abort());

  function add(chosen: NamedFile[]): void {
    const names = new Set(files.map((one) => one.chosen.name));
    for (const one of chosen) {
      if (names.has(one.name)) continue;
      files.push({
        key: ++last,
        chosen: one,
        state: "waiting",
        share: 0,
        document: null,
        reason: null,
        problem: null,
        inside: [],
      });
    }
  }

  async function start(request: Record<string, unknown>, table: NamedFile | null): Promise<void> {
    stopping = new AbortController();
    unmatched.value = null;
    const waiting = files.filter((one) => {
      if (one.state !== "waiting" && one.state !== "refused") return false;
      const refusal = refusalOf([one.chosen], limits.value);
      if (refusal) [one.state, one.problem] = ["refused", refusal];
      return !refusal;
    });
    const jobs: Promise<void>[] = [];
    running.value++;
    try {
      for (const group of groupsOf(waiting)) {
        if (stopping.signal.aborted) return;
        const accepted = await sendGroup(group, request, table);
        const sentFiles = group.filter((one) => one.state === "sending");
        if (accepted) jobs.push(followJob(sentFiles, accepted));
      }
      await Promise.all(jobs);
    } finally {
      running.value--;
    }
  }

  async function sendGroup(
    group: Upload[],
    request: Record<string, unknown>,
    table: NamedFile | null,
  ): Promise<AddAccepted | null> {
    for (const one of group) [one.state, one.problem, one.share] = ["sending", null, 0];
    const parts = group.map(({ chosen }) => chosen);
    if (table) parts.push(table);
    for (let tries = 0; ; tries++) {
      try {
        return await upload<AddAccepted>("/documents", {
          files: parts,
          request: { ...request, table_name: table?.name },
          onProgress: (bytes, of) => tellShares(group, bytes, of),
          signal: stopping.signal,
        });
      } catch (error) {
        if (stopping.signal.aborted) {
          for (const one of group) one.state = "waiting";
          return null;
        }
        if (!(error instanceof Problem)) throw error;
        // A server that is started anew is back in a moment: what was half sent is sent again.
        if ((error.status === 0 || error.status === 503) && tries < TRIES) {
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
          continue;
        }
        const rest = withoutUnreadable(group, error);
        if (rest.length && rest.length < group.length) return sendGroup(rest, request, table);
        for (const one of rest) [one.state, one.problem] = ["refused", error];
        return null;
      }
    }
  }

  async function followJob(
    group: Upload[],
    { job: id, files: sentAs }: AddAccepted,
  ): Promise<void> {
    for (const one of group) one.state = "reading";
    const ended = await watchJob(id, (now) => (job.value = now), stopping.signal);
    const outcomes = (ended.outcome?.documents ?? []) as Outcome[];
    // A row of the table that fits no file here may fit one that travelled with others.
    const fitsNone = (ended.outcome?.unmatched ?? []) as string[];
    unmatched.value = unmatched.value?.filter((name) => fitsNone.includes(name)) ?? fitsNone;
    const own = group.map((_, i) => outcomes.find(({ name }) => name === sentAs[i]?.name));
    // What is in an archive is told by its own names; an archive travels alone.
    const inside = outcomes.filter((each) => !own.includes(each));
    group.forEach((one, i) => {
      const outcome = own[i];
      if (outcome) [one.state, one.document, one.reason] = [outcome.state, outcome.id, reasonOf(outcome)];
      else if (inside.length) [one.state, one.inside] = ["new", inside];
      else [one.state, one.reason] = ["unread", sentenceOf(ended)];
    });
  }

  return {
    files,
    isGoingOn,
    job,
    unmatched,
    add,
    start,
    clear: () => void files.splice(0, files.length),
    stop: () => stopping.abort(),
  };
}

function reasonOf({ reason, code, values }: Omit<Outcome, "id" | "state">): Sentence | null {
  return reason ? { sentence: reason, code, values } : null;
}

/** One bad file must not keep the others out: it is told of, and the others go without it. */
function withoutUnreadable(group: Upload[], { details }: Problem): Upload[] {
  const bad = Array.isArray(details.files) ? (details.files as Omit<Outcome, "id" | "state">[]) : [];
  const reasons = new Map(bad.map((file) => [file.name, reasonOf(file)]));
  return group.filter((one) => {
    const reason = reasons.get(one.chosen.name);
    if (reason !== undefined) [one.state, one.reason] = ["unread", reason];
    return reason === undefined;
  });
}

/** They travel one after the other: what was sent so far is of the first of them. */
function tellShares(group: Upload[], bytes: number, of: number): void {
  const files = group.reduce((sum, one) => sum + one.chosen.file.size, 0);
  let left = of ? (files * bytes) / of : 0;
  for (const one of group) {
    const { size } = one.chosen.file;
    one.share = size ? Math.min(1, Math.max(0, left / size)) : 1;
    left -= size;
  }
}

/** Files that travel together: few enough that the progress of each is true. */
function* groupsOf(files: Upload[]): Generator<Upload[]> {
  let group: Upload[] = [];
  let bytes = 0;
  for (const one of files) {
    const { size } = one.chosen.file;
    const isFull = group.length >= MOST_FILES || bytes + size > MOST_BYTES;
    if (group.length && (isFull || isArchive(one.chosen) || isArchive(group[0]!.chosen))) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(one);
    bytes += size;
  }
  if (group.length) yield group;
}
