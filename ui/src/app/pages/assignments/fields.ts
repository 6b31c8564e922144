// What an assignment is, as its form holds it and as the server takes it.

import { reactive } from "vue";

import type { AssignmentDetail } from "../../api/shapes";
import { fieldTime, momentOf } from "./dates";

export const REPORTS = ["never", "after_deadline", "always"] as const;

export interface AssignmentFields {
  name: string;
  instructions: string;
  opensOn: string; // by the reader's clock
  dueOn: string;
  closesOn: string;
  studentReport: (typeof REPORTS)[number];
  selfChecks: boolean;
  selfChecksADay: string;
  mostAttempts: string;
  mayNameGroup: boolean;
  notice: string; // in percent; empty as the site says
  high: string;
  isBlind: boolean;
  keepDays: string;
}

export function fieldsOf(known: AssignmentDetail | null): AssignmentFields {
  const percent = (share: number | null | undefined) =>
    share === null || share === undefined ? "" : String(Math.round(1000 * share) / 10);
  const number = (n: number | null | undefined) => (n === null || n === undefined ? "" : String(n));
  const rules = known?.rules;
  return reactive({
    name: known?.name ?? "",
    instructions: known?.instructions ?? "",
    opensOn: fieldTime(known?.opens_on ?? null),
    dueOn: fieldTime(known?.due_on ?? null),
    closesOn: fieldTime(known?.closes_on ?? null),
    studentReport: rules?.student_report ?? "never",
    selfChecks: rules?.self_checks ?? false,
    selfChecksADay: String(rules?.self_checks_a_day ?? 3),
    mostAttempts: number(rules?.most_attempts),
    mayNameGroup: rules?.may_name_group ?? false,
    notice: percent(rules?.notice_share),
    high: percent(rules?.high_share),
    isBlind: known?.is_blind ?? false,
    keepDays: number(known?.keep_days),
  });
}

const shareOf = (percent: string) =>
  /^\d+([.,]\d+)?$/.test(percent) ? Number(percent.replace(",", ".")) / 100 : null;
const countOf = (text: string) => (/^[1-9]\d*$/.test(text) ? Number(text) : null);

/** Whether from the first threshold on there would be less to look at than from the second. */
export function isUpsideDown({ notice, high }: AssignmentFields): boolean {
  const [first, second] = [shareOf(notice), shareOf(high)];
  return first !== null && second !== null && first > second;
}

/** Whether the dates follow one another. */
export function isInOrder({ opensOn, dueOn, closesOn }: AssignmentFields): boolean {
  const given = [opensOn, dueOn, closesOn].filter(Boolean);
  return given.every((date, i) => !i || given[i - 1]! <= date);
}

export function bodyOf(fields: AssignmentFields): Record<string, unknown> {
  return {
    name: fields.name.trim(),
    instructions: fields.instructions.trim(),
    opens_on: momentOf(fields.opensOn),
    due_on: momentOf(fields.dueOn),
    closes_on: momentOf(fields.closesOn),
    rules: {
      student_report: fields.studentReport,
      self_checks: fields.selfChecks,
      self_checks_a_day: countOf(fields.selfChecksADay) ?? undefined,
      most_attempts: countOf(fields.mostAttempts),
      may_name_group: fields.mayNameGroup,
      notice_share: shareOf(fields.notice),
      high_share: shareOf(fields.high),
    },
    is_blind: fields.isBlind,
    keep_days: countOf(fields.keepDays),
  };
}
