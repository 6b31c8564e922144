// Moments as a form holds them, by the reader's clock, and as the server does.

import { localTime } from "../../../words";

/** "2026-11-19T23:59", for a field of a date with a time; nothing where no date was set. */
export const fieldTime = (iso: string | null) => (iso ? localTime(iso).slice(0, 16) : "");

/** The moment that a field tells; null where it is empty. */
export const momentOf = (field: string) => (field ? new Date(field).toISOString() : null);
