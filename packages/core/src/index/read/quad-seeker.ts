/** Many scans one after the other whose patterns bind the same positions, with what they decode kept in between. */
import { DEFAULT_GRAPH } from '../../format/layout.js';
import { newRowColumns } from '../block/block-codec.js';
import { accessPath, G } from '../orders.js';
import type { OpenSources } from './seek-lane.js';
import { SeekLane } from './seek-lane.js';

/** Which positions of a pattern are bound. */
export interface BoundPositions {
  readonly s: boolean;
  readonly p: boolean;
  readonly o: boolean;
  readonly g: boolean;
}

export interface SeekerOptions {
  /** Whether there may be quads outside the default graph. */
  readonly named: boolean;
  /** Whether {@link QuadSeeker.from} is read. */
  readonly revisions?: boolean;
}

const NO_ROWS = newRowColumns(0);

export class QuadSeeker {
  s: Uint32Array = NO_ROWS[0];
  p: Uint32Array = NO_ROWS[1];
  o: Uint32Array = NO_ROWS[2];
  g: Uint32Array = NO_ROWS[3];
  /** The revision in which each interval began, where it was asked for. */
  from: Uint32Array = NO_ROWS[4];
  start = 0;
  end = 0;
  readonly #bound: BoundPositions;
  /** The default graph has another path than named ones. */
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

  /** Begins the scan of another pattern; `next` then gives its first window. */
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
    const { s, p, o } = this.#bound;
    const path = accessPath({ s: s ? 1 : 0, p: p ? 1 : 0, o: o ? 1 : 0, g });
    const { named, revisions = false } = this.options;
    const residual = path.residual.filter((position) => named || position !== G || g !== DEFAULT_GRAPH);
    return new SeekLane({ ...path, residual }, this.open, revisions);
  }

  /** Rows of the next window, 0 at the end, MISS where {@link fetch} has to be awaited first. */
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
