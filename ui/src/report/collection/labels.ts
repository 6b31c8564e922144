// Which names of a graph find room: none covers another name or a document.

import type { Point } from "./layout";

export interface Label {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const SIZE = 12; // of the letters, as in the style of the graph
const LINE = 14;

let pen: CanvasRenderingContext2D | null = null;

/** How wide a name is drawn. */
function widthOf(name: string): number {
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d");
    if (pen) pen.font = `${SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  }
  return (pen?.measureText(name).width ?? name.length * SIZE) + 4;
}

/** A place for each name below, above or beside its document, or nothing where there is no room. */
export function placeLabels(
  names: readonly string[],
  points: readonly Point[],
  radius: number,
  width: number,
  height: number,
): (Label | null)[] {
  const occupied: Box[] = points.map(({ x, y }) => around(x, y, radius + 1));
  return points.map(({ x, y }, i) => {
    const wide = widthOf(names[i]!);
    const inward = Math.max(wide / 2, Math.min(x, width - wide / 2)); // beside an edge
    const places: Label[] = [
      { x: inward, y: y + radius + LINE - 2, anchor: "middle" },
      { x: inward, y: y - radius - 5, anchor: "middle" },
      { x: x + radius + 5, y: y + 4, anchor: "start" },
      { x: x - radius - 5, y: y + 4, anchor: "end" },
    ];
    for (const place of places) {
      const box = boxOf(place, wide);
      const inside = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;
      if (!inside || occupied.some((other) => overlap(box, other))) continue;
      occupied.push(box);
      return place;
    }
    return null;
  });
}

function boxOf({ x, y, anchor }: Label, wide: number): Box {
  const left = anchor === "middle" ? x - wide / 2 : anchor === "start" ? x : x - wide;
  return { left, right: left + wide, top: y - LINE + 3, bottom: y + 3 };
}

function around(x: number, y: number, half: number): Box {
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}
