// Which documents of a batch are listed.

import { isFrom, STEPS, type Member } from "./members";

export type Choice = "all" | "tricks" | "in part" | (typeof STEPS)[number];
export const CHOICES: readonly Choice[] = ["all", ...STEPS, "tricks", "in part"];

export function chosenBy(choice: Choice, member: Member): boolean {
  if (choice === "all") return true;
  if (choice === "tricks") return member.tricks.length > 0;
  return choice === "in part" ? member.isInPart : isFrom(member, choice);
}
