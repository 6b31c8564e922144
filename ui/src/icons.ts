// The icons of report and pages: strokes on a grid of 20 × 20, drawn in the colour of the text.

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const dot = (x: number, y: number) => `M${x} ${y}h.01`;

export const ICONS = {
  add: "M10 4v12M4 10h12",
  ascending: "M10 15.5v-11M5.5 9 10 4.5 14.5 9",
  check: "M4 10.5 8 14.5 16 5.5",
  class: `${circle(7, 6.5, 2.75)}M2 16c0-2.8 2.2-4.5 5-4.5s5 1.7 5 4.5M13 4.1a2.75 2.75 0 0 1 0 4.8M14.5 11.9c2.1.5 3.5 2 3.5 4.1`,
  close: "M5 5 15 15M15 5 5 15",
  collapse: "M5 12.5 10 7.5 15 12.5",
  comment: "M3 4.5h14v9.5H9.5L6 17v-3H3z",
  copy: "M7 7h10v10H7zM13 7V3H3v10h4",
  delete: "M3.5 5.5h13M8 5.5V3h4v2.5M5 5.5l.7 11.5h8.6L15 5.5M8.5 9v4.5M11.5 9v4.5",
  descending: "M10 4.5v11M5.5 11 10 15.5 14.5 11",
  document: "M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4M7.5 10.5h5.5M7.5 13.5h5.5",
  edit: "M4 16l.7-3.3L13.5 3.9l2.6 2.6L7.3 15.3zM11.8 5.6l2.6 2.6",
  expand: "M5 7.5 10 12.5 15 7.5",
  export: "M10 3v9.5M6 9l4 4 4-4M3.5 13.5v3h13v-3",
  external: "M11.5 3.5h5v5M16.5 3.5 9.5 10.5M8.5 5H3.5v11.5H15v-5",
  filter: "M3 5h14M5.5 10h9M8 15h4",
  folder: "M2.5 15.5v-11h5l2 2.5h8v8.5z",
  info: `${circle(10, 10, 7)}M10 9.5v4${dot(10, 6.5)}`,
  language: `${circle(10, 10, 7)}M3 10h14M10 3c2.2 2 3 4.3 3 7s-.8 5-3 7c-2.2-2-3-4.3-3-7s.8-5 3-7`,
  library: "M3.5 3.5H7v13H3.5zM7 3.5h3.5v13H7M11.5 4.7l3-.8 3.1 11.8-3 .8z",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2L10.3 5.5M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2L9.7 14.5",
  "log out": "M12 6V3.5H3.5v13H12V14M8 10h9M14 7l3 3-3 3",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  more: `${dot(4.5, 10)}${dot(10, 10)}${dot(15.5, 10)}`,
  next: "M7.5 5 12.5 10 7.5 15",
  person: `${circle(10, 6.5, 3)}M4 17c0-3.2 2.7-5 6-5s6 1.8 6 5`,
  previous: "M12.5 5 7.5 10 12.5 15",
  print: "M6 7V3h8v4M6 14H3V7h14v7h-3M6 11.5h8V17H6z",
  retry: "M16.5 10a6.5 6.5 0 1 1-2-4.7L16.5 7M16.5 3v4h-4",
  search: `${circle(8.75, 8.75, 5.25)}M12.7 12.7 17 17`,
  settings: `M3 6h6M13 6h4M3 14h2M9 14h8${circle(11, 6, 2)}${circle(7, 14, 2)}`,
  share: `${circle(5, 10, 2)}${circle(14.5, 5, 2)}${circle(14.5, 15, 2)}M6.8 9.1 12.7 5.9M6.8 10.9l5.9 3.2`,
  sort: "M6.5 16V4M3.5 7l3-3 3 3M13.5 4v12M10.5 13l3 3 3-3",
  theme: `${circle(10, 10, 7)}M10 3v14M10 6.5h5.5M10 10h7M10 13.5h5.5`,
  upload: "M10 12.5V3M6 6.5l4-4 4 4M3.5 13.5v3h13v-3",
  warning: `M10 3 18 16.5H2zM10 8v4${dot(10, 14.2)}`,
} as const;

export type IconName = keyof typeof ICONS;
