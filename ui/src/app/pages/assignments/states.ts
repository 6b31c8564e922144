// How far assignments and what was handed in to them are.

import type { AssignmentShape, SubmissionShape } from "../../api/shapes";

export const isBusy = ({ state }: Pick<AssignmentShape, "state">) =>
  state === "queued" || state === "running";

/** Whether a moment is over; a date that was not set never is. */
export const isOver = (date: string | null) => date !== null && new Date(date).getTime() < Date.now();

/** Whether nobody is told whose the works are. */
export const hidesNames = ({
  is_blind,
  unveiled_on,
}: Pick<AssignmentShape, "is_blind" | "unveiled_on">) => is_blind && !unveiled_on;

type Look = "good" | "bad" | "busy" | "";
const LOOKS: Readonly<Record<SubmissionShape["state"], Look>> = {
  waiting: "busy",
  checked: "good",
  unread: "bad",
  failed: "bad",
  cancelled: "",
  replaced: "",
};

export const lookOf = ({ state }: Pick<SubmissionShape, "state">): Look => LOOKS[state];
