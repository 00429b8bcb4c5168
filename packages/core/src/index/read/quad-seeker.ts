/** Runs many scans one after the other whose patterns bind the same positions. Keeps decoded rows between them. */
import { DEFAULT_GRAPH } from '../../format/layout.js';
import { newRowColumns } from '../block/block-codec.js';
import { accessPath, G, pathInOrder } from '../orders.js';
import type { OrderName } from '../orders.js';
import type { OpenSources } from './seek-lane.js';
import { SeekLane } from './seek-lane.js';

/** The positions of a pattern that are bound. */
export interface BoundPositions {
  readonly s: boolean;
  readonly p: boolean;
  readonly o: boolean;
  readonly g: boolean;
  /** The order to read named graphs in. Default: the one with the longest prefix of bound positions. */
  readonly order?: OrderName;
}

export interface SeekerOptions {
  /** Whether there may be quads in named graphs. */
  readonly named: boolean;
  /** Whether the caller reads {@link QuadSeeker.from}. Default false. */
  readonly revisions?: boolean;
}

const NO_ROWS = newRowColumns(0);

export class QuadSeeker {
  s: Uint32Array = NO_ROWS[0];
  p: Uint32Array = NO_ROWS[1];
  o: Uint32Array = NO_ROWS[2];
  g: Uint32Array = NO_ROWS[3];
  /** The `from` of each interval, if requested. */
  from: Uint32Array = NO_ROWS[4];
  start = 0;
  end = 0;
  readonly #bound: BoundPositions;
  /** The default graph has another access path than named graphs. */
  #default: SeekLane | undefined;
  #other: SeekLane | undefined;
  #lane: SeekLane | undefined;

  constructor(
    bound: BoundPositions,
    private readonly open: OpenSources,
    private readonly options: SeekerOptions,
  ) {
    this.#bound = bound;
  }

  /** Starts the scan of another pattern. `next` then reads its first window. */
  seek(s: number, p: number, o: number, g: number): void {
    const inDefault = g === DEFAULT_GRAPH && this.#bound.g;
    const lane = inDefault
      ? (this.#default ??= this.#newLane(DEFAULT_GRAPH))
      : (this.#other ??= this.#newLane(this.#bound.g ? DEFAULT_GRAPH + 1 : 0));
    this.#lane = lane;
    lane.begin(s, p, o, g);
    this.start = this.end = 0;
  }

  #newLane(g: number): SeekLane {
    const { s, p, o, order } = this.#bound;
    const pattern = { s: s ? 1 : 0, p: p ? 1 : 0, o: o ? 1 : 0, g };
    const isNamed = g !== 0 && g !== DEFAULT_GRAPH;
    const path = order !== undefined && isNamed ? pathInOrder(order, pattern) : accessPath(pattern);
    const { named, revisions = false } = this.options;
    const residual = path.residual.filter((position) => named || position !== G || g !== DEFAULT_GRAPH);
    return new SeekLane({ ...path, residual }, this.open, revisions);
  }

  /**
   * Reads the next window. Returns its number of rows, 0 at the end, or {@link MISS} if the caller must await {@link
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

  async fetch(): Promise<void> {
    await this.#lane?.fetch();
  }

  close(): void {
    this.#default?.close();
    this.#other?.close();
    this.#lane = undefined;
  }
}
