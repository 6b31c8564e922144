// Where the documents of a cluster stand in its graph: springs along the ties, everything else pushes
// apart (Fruchterman and Reingold 1991). No chance in it: the same cluster always looks the same.
//
// Ours, not d3-force 3.0.1 (ISC), which was weighed: the file would have 87 lines instead of 148, for
// what only springs and pushing do; slices, fitting and the weights of ties stay. Minified and gzipped
// it is 5.9 kB with d3-force and its three dependencies instead of 1.0 kB, in every report that is
// written, and every graph would look different from the one that people have seen.

import type { Graph } from "./graph";

/** Inside the unit square. */
export interface Point {
  x: number;
  y: number;
}

interface Body extends Point {
  moveX: number;
  moveY: number;
}

const ROUNDS = 260;
const SLICE_MS = 12;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Lays a graph out in slices short enough that the page stays awake; nothing where cancelled. */
export async function layOut(graph: Graph, cancelled: () => boolean): Promise<Point[] | null> {
  const work = rounds(graph);
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise((resume) => setTimeout(resume));
    if (cancelled()) return null;
  }
}

/** One round of moves at a time. */
function* rounds(graph: Graph): Generator<void, Point[]> {
  const bodies = sunflower(graph.nodes.length);
  const ties = bodies.map(() => 0);
  for (const { from, to } of graph.edges) {
    ties[from]!++;
    ties[to]!++;
  }
  const springs = graph.edges.map(({ from, to, similarity }) => ({
    from: bodies[from]!,
    to: bodies[to]!,
    // many springs at once would draw a dense cluster into a heap
    strength: (0.5 + similarity) * Math.min(1, 4 / Math.sqrt(ties[from]! * ties[to]!)),
  }));
  const apart = 1 / Math.sqrt(Math.max(bodies.length, 1)); // how far neighbours are to stand
  for (let round = 0; round < ROUNDS && bodies.length > 2; round++) {
    push(bodies, apart);
    for (const { from, to, strength } of springs) pull(from, to, strength / apart);
    const farthest = 0.12 * (1 - round / ROUNDS) + 0.0005; // cools down, so that it settles
    for (const body of bodies) settle(body, apart / 2, farthest);
    yield;
  }
  return fitToUnitSquare(bodies);
}

/** Even, no two in one place, and the first, best tied ones in the middle. */
function sunflower(count: number): Body[] {
  return Array.from({ length: count }, (_, i) => {
    const radius = 0.5 * Math.sqrt((i + 0.5) / count);
    const angle = i * GOLDEN_ANGLE;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), moveX: 0, moveY: 0 };
  });
}

function push(bodies: readonly Body[], apart: number): void {
  bodies.forEach((one, i) => {
    for (let j = i + 1; j < bodies.length; j++) {
      const other = bodies[j]!;
      const x = one.x - other.x;
      const y = one.y - other.y;
      const strength = (apart * apart) / Math.max(x * x + y * y, 1e-9);
      one.moveX += x * strength;
      one.moveY += y * strength;
      other.moveX -= x * strength;
      other.moveY -= y * strength;
    }
  });
}

function pull(from: Body, to: Body, strength: number): void {
  const x = from.x - to.x;
  const y = from.y - to.y;
  const force = strength * Math.hypot(x, y);
  from.moveX -= x * force;
  from.moveY -= y * force;
  to.moveX += x * force;
  to.moveY += y * force;
}

/** Takes the step, with a weak pull to the middle that keeps loose ends near. */
function settle(body: Body, gravity: number, farthest: number): void {
  const x = body.moveX - body.x * gravity;
  const y = body.moveY - body.y * gravity;
  const length = Math.hypot(x, y) || 1;
  const step = Math.min(length, farthest) / length;
  body.x += x * step;
  body.y += y * step;
  body.moveX = body.moveY = 0;
}

/** Stretched to the unit square, with the longer side across: screens are wide. */
function fitToUnitSquare(bodies: readonly Point[]): Point[] {
  if (bodies.length < 3) {
    return bodies.map((_, i) => ({ x: bodies.length === 1 ? 0.5 : 0.2 + 0.6 * i, y: 0.5 }));
  }
  let across = ends(bodies.map(({ x }) => x));
  let down = ends(bodies.map(({ y }) => y));
  const turned = across.extent < down.extent;
  if (turned) [across, down] = [down, across];
  const height = Math.min(1, (2.5 * down.extent) / across.extent); // a chain stays flat
  return bodies.map(({ x, y }) => ({
    x: ((turned ? y : x) - across.least) / across.extent,
    y: 0.5 + height * (((turned ? x : y) - down.least) / Math.max(down.extent, 1e-6) - 0.5),
  }));
}

/** Points of a drawing moved apart until no two stand on each other, as far as there is room. */
export function separatePoints(points: readonly Point[], distance: number): Point[] {
  const moved = points.map(({ x, y }) => ({ x, y }));
  for (let round = 0; round < 30; round++) {
    let isDone = true;
    moved.forEach((one, i) => {
      for (let j = i + 1; j < moved.length; j++) {
        const other = moved[j]!;
        const [x, y] = [one.x - other.x, one.y - other.y];
        const apart = Math.hypot(x, y);
        if (apart >= distance) continue;
        const step = (distance - apart) / 2 / Math.max(apart, 1e-6);
        one.x += x * step;
        one.y += y * step;
        other.x -= x * step;
        other.y -= y * step;
        isDone = false;
      }
    });
    if (isDone) break;
  }
  return moved;
}

function ends(values: readonly number[]): { least: number; extent: number } {
  const least = Math.min(...values);
  return { least, extent: Math.max(...values) - least };
}
