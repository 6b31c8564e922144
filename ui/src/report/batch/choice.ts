// Which documents of a batch are listed.

import type { Thresholds } from "../levels";
import type { Member } from "./members";

export const CHOICES = ["all", "notice", "high", "tricks", "in part"] as const;
export type Choice = (typeof CHOICES)[number];

export function chosenBy(choice: Choice, member: Member, thresholds: Thresholds): boolean {
  if (choice === "all") return true;
  if (choice === "tricks") return member.tricks.length > 0;
  if (choice === "in part") return member.isInPart;
  return member.similar > 0 && member.similar >= thresholds[choice];
}
