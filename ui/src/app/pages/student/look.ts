// How far something is that a student handed in: nothing of it is an alarm.

import type { SubmissionShape } from "../../api/shapes";

export const lookOf = ({ state }: Pick<SubmissionShape, "state">): "good" | "busy" | "" =>
  state === "checked" ? "good" : state === "waiting" ? "busy" : "";

/** Whether there is something to wait for. */
export const isWaiting = ({ state }: Pick<SubmissionShape, "state">) => state === "waiting";
