/** Runs many scans one after the other whose patterns bind the same positions. Keeps decoded rows between them. */
import { DEFAULT_GRAPH } from '../../format/layout.js';
import { newRowColumns } from '../block/block-codec.js';
import { accessPath, G, pathInOrder } from '../orders.js';
import type { AccessPath, OrderName } from '../orders.js';
import type { OpenSources } from './seek-lane.js';
import { SeekLane } from './seek-lane.js';

/** The positions of a pattern that are bound. */
export interface BoundPositions {
  /** Whether the subject is bound. */
  readonly s: boolean;
  /** Whether the predicate is bound. */
  readonly p: boolean;
  /** Whether the object is bound. */
  readonly o: boolean;
  /** Whether the graph is bound. */
  readonly g: boolean;
  /** The order to read named graphs in. Default: the one with the longest prefix of bound positions. */
  readonly order?: OrderName;
}

/** Where seekers get their lanes from, and where they leave them. */
export interface Lanes {
  take(path: AccessPath): SeekLane;
  give(path: AccessPath, lane: SeekLane): void;
}

/** Lanes that serve one seeker. */
export const newLanes = (open: OpenSources, revisions = false): Lanes => ({
  take: (path) => new SeekLane(path, open, revisions),
  give: (_, lane) => lane.close(),
});

interface PathLane {
  readonly path: AccessPath;
  readonly lane: SeekLane;
}

const NO_ROWS = newRowColumns(0);

/** Reads the quads of many patterns one after the other, which bind the same positions. */
export class QuadSeeker {
  /** Subjects. Rows `start` to `end` of the columns are the window, which is good until the next step. */
  s: Uint32Array = NO_ROWS[0];
  /** Predicates. */
  p: Uint32Array = NO_ROWS[1];
  /** Objects. */
  o: Uint32Array = NO_ROWS[2];
  /** Graphs. */
  g: Uint32Array = NO_ROWS[3];
  /** The `from` of each interval, if requested. */
  from: Uint32Array = NO_ROWS[4];
  /** The first row of the window. */
  start = 0;
  /** The row behind the last one of the window. */
  end = 0;
  readonly #bound: BoundPositions;
  /** The default graph has another access path than named graphs. */
  #default: PathLane | undefined;
  #other: PathLane | undefined;
  #lane: SeekLane | undefined;

  /** `named`: whether there may be quads in named graphs. */
  constructor(
    bound: BoundPositions,
    private readonly lanes: Lanes,
    private readonly named: boolean,
  ) {
    this.#bound = bound;
  }

  /** Starts the scan of another pattern. `next` then reads its first window. */
  seek(s: number, p: number, o: number, g: number): void {
    const inDefault = g === DEFAULT_GRAPH && this.#bound.g;
    const { lane } = inDefault
      ? (this.#default ??= this.#laneOf(DEFAULT_GRAPH))
      : (this.#other ??= this.#laneOf(this.#bound.g ? DEFAULT_GRAPH + 1 : 0));
    this.#lane = lane;
    lane.begin(s, p, o, g);
    this.start = this.end = 0;
  }

  #laneOf(g: number): PathLane {
    const { s, p, o, order } = this.#bound;
    const pattern = { s: s ? 1 : 0, p: p ? 1 : 0, o: o ? 1 : 0, g };
    const isNamed = g !== 0 && g !== DEFAULT_GRAPH;
    const whole = order !== undefined && isNamed ? pathInOrder(order, pattern) : accessPath(pattern);
    const isChecked = this.named || g !== DEFAULT_GRAPH || !whole.residual.includes(G);
    const path = isChecked ? whole : { ...whole, residual: whole.residual.filter((position) => position !== G) };
    return { path, lane: this.lanes.take(path) };
  }

  /**
   * Reads the next window. Returns its number of rows, 0 at the end, or `MISS` (-1) if the caller must await {@link
   * fetch} first.
   */
  next(): number {
    const lane = this.#lane;
    if (lane === undefined) return 0;
    const rows = lane.next();
    if (rows <= 0) {
      this.start = this.end = 0;
      return rows;
    }
    const { columns, order } = lane;
    const { places } = order;
    this.s = columns[places[0]]!;
    this.p = columns[places[1]]!;
    this.o = columns[places[2]]!;
    this.g = columns[places[3]]!;
    this.from = columns[4];
    this.start = lane.start;
    this.end = lane.end;
    return rows;
  }

  /**
   * Fetches what the last step lacked.
   * @param ahead patterns that are sought next: blocks where their rows begin come along
   */
  async fetch(ahead?: Iterable<readonly [number, number, number, number]>): Promise<void> {
    await this.#lane?.fetch(ahead);
  }

  /** Ends the scan of the present pattern. Another one may begin. */
  reset(): void {
    this.#default?.lane.close();
    this.#other?.lane.close();
    this.#lane = undefined;
  }

  /** May be called repeatedly, but nothing may be sought any more. */
  close(): void {
    this.#lane = undefined;
    for (const used of [this.#default, this.#other]) if (used !== undefined) this.lanes.give(used.path, used.lane);
    this.#default = this.#other = undefined;
  }
}
