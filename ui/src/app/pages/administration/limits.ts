// Limits as people write them: megabytes, gigabytes and percent, where the server counts bytes and shares.

const UNITS: Readonly<Record<string, number>> = {
  most_upload_bytes: 1_000_000,
  most_bytes: 1_000_000_000,
  min_share: 0.01,
};

/** A field that the server refused, and between which values it had to lie. */
export interface RefusedField {
  field: string;
  least?: number;
  most?: number;
}

/** What a form shows of a limit; nothing where there is none. */
export function formatLimit(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return "";
  return String(Number((value / (UNITS[name] ?? 1)).toFixed(3)));
}

/** What is meant by what a form holds; null is no limit. */
export function parseLimit(name: string, text: string | undefined): number | null {
  const number = text?.trim().replace(",", ".");
  if (!number) return null;
  const value = Number(number) * (UNITS[name] ?? 1);
  return name === "min_share" ? Number(value.toFixed(5)) : Math.round(value);
}
