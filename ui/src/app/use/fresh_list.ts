// Others change a list while somebody chooses from it: then it is shown as it is now.

import { Problem } from "../api/client";

/** The reply; where what was chosen is no more as it was, `refresh` before the problem is told. */
export async function withFreshList<T>(reply: Promise<T>, refresh: () => void): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    const isOutdated = error instanceof Problem && ["conflict", "not found"].includes(error.kind);
    if (isOutdated) refresh();
    throw error;
  }
}
