// What an institution asks its students to agree to before they hand in, where it asks anything.

import { ask, Problem } from "../../api/client";

export interface ConsentText {
  id: string;
  texts: Readonly<Record<string, string>>; // by language
  made_on: string;
}

/** The text that holds now; nothing where the institution asks for none. */
export async function currentConsent(signal: AbortSignal): Promise<ConsentText | null> {
  try {
    return await ask<ConsentText>("/consent-texts/current", { signal });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
