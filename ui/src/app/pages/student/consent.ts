// What an institution asks its students to agree to before they hand in, where it asks anything.

import { ask, Problem } from "../../api/client";
import type { CurrentConsentText } from "../../api/shapes";

/** The text that holds now; nothing where the institution asks for none. */
export async function currentConsent(signal: AbortSignal): Promise<CurrentConsentText | null> {
  try {
    return await ask<CurrentConsentText>("/consent-texts/current", { signal });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
