/** Where the revisions of a graph are drawn: each in a lane, with lines to its parents below. */

export interface Node {
  readonly uuid: string;
  /** Of the branch that it lies on first; the parent that was merged comes second. */
  readonly parents: readonly string[];
}

/** A line within one row. */
export interface Line {
  readonly from: number;
  readonly to: number;
  /** `through` passes the whole row, `in` ends at the revision, `out` begins there. */
  readonly part: 'through' | 'in' | 'out';
  /** By which lines have a colour: the lane whose history this is. */
  readonly colour: number;
  /** Whether its parent is not among the rows. */
  readonly isCut?: boolean;
}

export interface Row {
  /** The lane of the revision. */
  readonly lane: number;
  readonly lines: readonly Line[];
}

export interface Graph {
  readonly rows: readonly Row[];
  /** How many lanes there are at the widest place. */
  readonly width: number;
}

/** What a lane waits for: the parent that will stand in it. */
interface Waiting {
  readonly uuid: string;
  readonly colour: number;
  /** A lane that is kept free until its first revision has no line above it. */
  readonly isKept?: boolean;
}
type Lanes = readonly (Waiting | undefined)[];

/**
 * Lays out rows from the newest to the oldest.
 * @param first the revision whose history stands in the first lane, such as the head of a branch
 */
export function lanesOf(nodes: readonly Node[], first?: string): Graph {
  const places = new Map(nodes.map(({ uuid }, place) => [uuid, place]));
  let lanes: Lanes = first !== undefined && places.has(first) ? [{ uuid: first, colour: 0, isKept: true }] : [];
  let width = 0;
  const rows = nodes.map((node, place): Row => {
    // A parent above its child, as a clock that went back may make it, would be waited for in vain.
    const isBelow = (uuid: string): boolean => (places.get(uuid) ?? -1) > place;
    const { row, after } = rowOf(node, lanes, isBelow);
    width = Math.max(width, row.lane + 1, ...row.lines.map(({ to }) => to + 1));
    lanes = after;
    return row;
  });
  return { rows, width };
}

function rowOf(
  { uuid, parents }: Node,
  before: Lanes,
  isBelow: (uuid: string) => boolean,
): { readonly row: Row; readonly after: Lanes } {
  const waits = before.findIndex((each) => each?.uuid === uuid);
  const lane = waits >= 0 ? waits : freeLane(before);
  const after = before.map((each) => (each?.uuid === uuid ? undefined : each));
  const lines: Line[] = [];
  for (const [place, each] of before.entries()) {
    if (each === undefined || each.isKept === true) continue;
    const ends = each.uuid === uuid;
    lines.push({ from: place, to: ends ? lane : place, part: ends ? 'in' : 'through', colour: each.colour });
  }
  for (const [index, parent] of parents.entries()) {
    const isCut = !isBelow(parent);
    // The first parent goes on in the same lane, and lanes that wait for the same one meet there. A merged one joins a lane that waits for it.
    const joined = index === 0 ? lane : after.findIndex((each) => each?.uuid === parent);
    const to = joined >= 0 ? joined : freeLane(after, lane);
    const colour = index === 0 ? lane : to;
    lines.push({ from: lane, to, part: 'out', colour, ...(isCut ? { isCut } : {}) });
    if (!isCut && (after[to] === undefined || after[to].isKept === true)) after[to] = { uuid: parent, colour };
  }
  return { row: { lane, lines }, after };
}

/** The first lane that nothing waits in. */
function freeLane(lanes: Lanes, taken = -1): number {
  for (let place = 0; ; place++) if (lanes[place] === undefined && place !== taken) return place;
}
