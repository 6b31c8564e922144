// The way to somebody who vouches for people: the browser goes there and comes back to /login/….

import { ask } from "./client";
import { askOpen } from "./open";
import type { DepartureShape } from "./shapes";

/** Logs in by a provider. The page is left. */
export async function departTo(provider: string, goTo: string): Promise<void> {
  const { address } = await askOpen<DepartureShape>(`/login/${provider}`, { go_to: goTo });
  location.assign(address);
}

/** The same for who is logged in: to show that it is still the same person, or to link an account. */
export async function departAsMe(
  provider: string,
  purpose: "authenticate" | "link",
  goTo: string,
): Promise<void> {
  const path = `/login/${provider}/${purpose}`;
  const { address } = await ask<DepartureShape>(path, { method: "POST", body: { go_to: goTo } });
  location.assign(address);
}
