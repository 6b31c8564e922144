// The way to somebody who vouches for people: the browser goes there and comes back to /login/….

import { ask } from "./client";
import { askOpen } from "./open";
import type { DepartureShape } from "./shapes";

/** Logs in by a provider. The page is left. */
export async function departTo(provider: string, goTo: string): Promise<void> {
  const { address } = await askOpen<DepartureShape>(`/login/${provider}`, { go_to: goTo });
  location.assign(address);
}

/** The same in a window of its own: this page stays, with what was typed. */
export async function departBeside(provider: string): Promise<void> {
  const opened = window.open("", "_blank"); // at once: later, browsers take it for an advertisement
  try {
    const { address } = await askOpen<DepartureShape>(`/login/${provider}`, { go_to: "/" });
    if (opened) opened.location.replace(address);
    else location.assign(address);
  } catch (error) {
    opened?.close();
    throw error;
  }
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
