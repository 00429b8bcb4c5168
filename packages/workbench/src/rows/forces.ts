/** Places for the nodes of a graph: all nodes push each other away, links pull theirs together (Fruchterman and Reingold). */

export interface Places {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** The distance that a link wants, in the units of the drawing. */
const LENGTH = 90;
/** Nodes without links would fly away else. */
const GRAVITY = 0.06;
/** The golden angle spreads first places evenly, and the same graph lies the same way each time. */
const ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Rounds until the nodes rest: fewer for large graphs, whose rounds take longer. */
const roundsOf = (count: number): number => Math.round(Math.min(300, Math.max(60, 60_000 / count)));

/**
 * Places in which linked nodes are near each other. The time grows with the square of the number of nodes: 2,000 take about a second.
 * @param links indices of nodes, two for each link
 */
export function settle(count: number, links: Uint32Array): Places {
  const places = { x: new Float64Array(count), y: new Float64Array(count) };
  for (let node = 0; node < count; node++) {
    const radius = LENGTH * 0.6 * Math.sqrt(node + 0.5);
    places.x[node] = radius * Math.cos(node * ANGLE);
    places.y[node] = radius * Math.sin(node * ANGLE);
  }
  const rounds = roundsOf(count);
  for (let round = 0; round < rounds; round++) move(places, links, LENGTH * (1 - round / rounds) + 1);
  return places;
}

/** @param most so far a node moves in this round */
function move({ x, y }: Places, links: Uint32Array, most: number): void {
  const count = x.length;
  const [forceX, forceY] = [new Float64Array(count), new Float64Array(count)];
  for (let a = 0; a < count; a++) {
    forceX[a]! -= x[a]! * GRAVITY;
    forceY[a]! -= y[a]! * GRAVITY;
    for (let b = a + 1; b < count; b++) {
      const dx = x[a]! - x[b]!;
      const dy = y[a]! - y[b]!;
      const force = (LENGTH * LENGTH) / Math.max(dx * dx + dy * dy, 1);
      forceX[a]! += dx * force;
      forceX[b]! -= dx * force;
      forceY[a]! += dy * force;
      forceY[b]! -= dy * force;
    }
  }
  for (let link = 0; link < links.length; link += 2) {
    const [a, b] = [links[link]!, links[link + 1]!];
    const [dx, dy] = [x[a]! - x[b]!, y[a]! - y[b]!];
    const force = Math.hypot(dx, dy) / LENGTH;
    forceX[a]! -= dx * force;
    forceX[b]! += dx * force;
    forceY[a]! -= dy * force;
    forceY[b]! += dy * force;
  }
  for (let node = 0; node < count; node++) {
    const length = Math.hypot(forceX[node]!, forceY[node]!) || 1;
    const step = Math.min(length, most) / length;
    x[node]! += forceX[node]! * step;
    y[node]! += forceY[node]! * step;
  }
}
