// What the rules of an assignment mean for a student, as sentences of the catalogue.

import type { AssignmentDetail } from "../../api/shapes";
import type { Times } from "../../use/times";

export interface Term {
  key: string;
  values?: Record<string, string | number>;
}

type Rules = Pick<AssignmentDetail, "due_on" | "closes_on" | "rules">;

const isPast = (iso: string, now: number) => new Date(iso).getTime() <= now;

/** Whether what is handed in now is late. */
export const isLateNow = ({ due_on }: Pick<Rules, "due_on">, now: number) =>
  due_on !== null && isPast(due_on, now);

/** What happens to what comes after the deadline. */
function lateTerm({ due_on, closes_on }: Rules, times: Times, now: number): Term | null {
  const until = closes_on ? times.exact(closes_on) : "";
  if (closes_on && isPast(closes_on, now)) return { key: "terms.closed", values: { date: until } };
  if (!due_on) return closes_on ? { key: "terms.until", values: { date: until } } : null;
  if (closes_on && closes_on <= due_on) return { key: "terms.no_late" };
  if (isLateNow({ due_on }, now))
    return closes_on
      ? { key: "terms.late_now_until", values: { date: until } }
      : { key: "terms.late_now" };
  return closes_on ? { key: "terms.late_until", values: { date: until } } : { key: "terms.late" };
}

/** How often one may hand in, and how often still. */
function attemptsTerm({ rules }: Rules, made: number): Term {
  const most = rules.most_attempts ?? null;
  if (most === null) return { key: "terms.attempts" };
  return { key: "terms.attempts_left", values: { n: Math.max(0, most - made), most } };
}

/** When students read their own reports; the date is that of the deadline. */
export function reportTerm({ rules, due_on, closes_on }: Rules, times: Times, now: number): Term {
  if (rules.student_report === "always") return { key: "terms.report.always" };
  const deadline = due_on ?? closes_on;
  if (rules.student_report !== "after_deadline" || !deadline) return { key: "terms.report.never" };
  if (isPast(deadline, now)) return { key: "terms.report.now" };
  return { key: "terms.report.from", values: { date: times.exact(deadline) } };
}

/** Everything there is to know before handing in. */
export function termsOf(assignment: AssignmentDetail, times: Times, now: number): Term[] {
  const { rules, own_attempts } = assignment;
  return [
    lateTerm(assignment, times, now),
    attemptsTerm(assignment, own_attempts ?? 0),
    reportTerm(assignment, times, now),
    assignment.self_checks
      ? { key: "terms.self_checks", values: { n: assignment.self_checks.a_day } }
      : null,
    rules.may_name_group ? { key: "terms.group" } : null,
  ].filter((each) => each !== null);
}
