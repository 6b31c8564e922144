// What a browser calls itself, as people call it.

const BROWSERS: readonly [string, RegExp][] = [
  ["Edge", /Edg(?:e|A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Yandex", /YaBrowser\//],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Firefox", /(?:Firefox|FxiOS)\//],
  ["Chrome", /(?:Chrome|CriOS)\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: readonly [string, RegExp][] = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux|X11/],
];

/** "Firefox, Windows"; what is not known as it is, and not at length. */
export function describeAgent(agent: string): string {
  const named = (kinds: readonly [string, RegExp][]) =>
    kinds.find(([, sign]) => sign.test(agent))?.[0];
  const known = [named(BROWSERS), named(SYSTEMS)].filter(Boolean);
  return known.length ? known.join(", ") : agent.slice(0, 80);
}
