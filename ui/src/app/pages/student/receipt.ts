// A receipt as text, to be kept wherever one likes.

import type { Message, Words } from "../../../words";
import type { SubmissionDetail, SubmissionShape } from "../../api/shapes";
import type { Times } from "../../use/times";

/** All files of the attempt that a submission belongs to. */
export function filesOf(detail: SubmissionDetail): SubmissionShape[] {
  const { others, attempt } = detail;
  return [detail, ...others.filter((one) => one.attempt === attempt)].sort((a, b) =>
    (a.name ?? "").localeCompare(b.name ?? ""),
  );
}

/** "12 pages · 3 400 words", as far as it is known. */
export function readText(words: Words, { receipt }: Pick<SubmissionShape, "receipt">): string {
  const { pages, words: count } = receipt ?? {};
  return [
    pages ? words.say("document.pages", { n: pages }) : "",
    count || count === 0 ? words.say("document.words", { n: count }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What was noted while a file was read, and why it could not be, where the page has words for it. */
export function notesOf(words: Words, { receipt }: Pick<SubmissionShape, "receipt">): string[] {
  const notes = [...(receipt?.notes ?? []), receipt?.unread ?? null] as (Message | null)[];
  return notes.flatMap((one) => (one && words.has(one.key) ? [words.tell(one)] : []));
}

export function receiptText(words: Words, times: Times, detail: SubmissionDetail): string {
  const files = filesOf(detail).flatMap((one) => [
    "",
    one.name ?? "",
    `${words.say("receipt.size")}: ${words.size(one.size)}`,
    `SHA-256: ${one.sha256}`,
    ...[readText(words, one), ...notesOf(words, one)].filter(Boolean),
  ]);
  return [
    `${words.say("receipt.title")}: ${detail.assignment_name} (${detail.course_name})`,
    `${words.say("submission.student")}: ${detail.student ?? ""}`,
    `${words.say("submission.handed_in_on")}: ${times.exact(detail.handed_in_on)} (${detail.handed_in_on})`,
    `${words.say("submission.attempt")}: ${detail.attempt}`,
    ...files,
    "",
    location.href,
  ].join("\n");
}
