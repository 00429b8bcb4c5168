/**
 * The changes of squashes, read from the indexes: a row for each interval that began, and one for each that ended, if any revision that
 * was kept sees it. Intervals keep their revisions, so rows tell them. Small changes go into the record, others into runs of the log.
 */
import type { RowColumns } from '../index/block/block-codec.js';
import type { PayloadRun } from '../index/run/run.js';
import { FOREVER } from '../format/layout.js';
import type { IndexVersion } from '../index/index-version.js';
import type { Tier } from '../index/merge/run-tiers.js';
import { withChunk } from '../index/merge/run-tiers.js';
import { SPOG } from '../index/orders.js';
import { GrowingRows } from '../index/run/growing-rows.js';
import type { RunSession } from '../index/run/run-session.js';
import { writeOrders } from '../index/run/write-orders.js';
import type { Timeline } from '../timeline/timeline.js';
import type { BegunQuads, EndedQuads, RunPayload } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import { ownEvents } from './own-events.js';
import type { Stretches } from './trim-plan.js';

/** Rows of a squash that its record holds itself. The records of all squashes are written together. */
const RECORD_ROWS = 128;

/** The changes of one squash. */
export interface SquashDelta {
  readonly added: BegunQuads;
  readonly removed: EndedQuads;
  readonly payload: RunPayload | undefined;
  /** Net, without quads that are on both sides. */
  readonly addedCount: number;
  readonly removedCount: number;
}

class Collected {
  readonly added = new GrowingRows();
  readonly removed = new GrowingRows();
  readonly aside: { added: readonly Tier[]; removed: readonly Tier[] } = { added: [], removed: [] };
  addedCount = 0;
  removedCount = 0;

  get rows(): number {
    return this.added.length + this.removed.length;
  }
}

/** The rows as a record has them. */
function quadsOf({ columns, length }: GrowingRows): EndedQuads & { readonly to: Uint32Array } {
  const [s, p, o, g, from, to] = columns.map((column) => column.slice(0, length)) as unknown as RowColumns;
  return { length, s, p, o, g, from, to };
}

/** The changes of some stretches, by their places. `unseen` is the number of intervals that nobody sees. */
export interface SquashDeltas {
  readonly byPlace: ReadonlyMap<number, SquashDelta>;
  readonly unseen: number;
}

export class SquashReader {
  #unseen = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly index: IndexVersion,
    private readonly head: number,
    private readonly stretches: Stretches,
    private readonly pacer: Pacer,
  ) {}

  /** Reads the changes of the stretches at these places. Holds at most `chunkRows` rows in memory. */
  async read(places: readonly number[], session: RunSession): Promise<SquashDeltas> {
    const rows = await this.#count();
    const byPlace = new Map<number, SquashDelta>();
    const most = this.timeline.keyspace.tuning.chunkRows;
    for (let at = 0; at < places.length;) {
      const group = new Map<number, Collected>();
      let sum = 0;
      do {
        sum += rows.get(places[at]!) ?? 0;
        group.set(places[at]!, new Collected());
        at++;
      } while (at < places.length && sum + (rows.get(places[at]!) ?? 0) <= most);
      if (sum > 0) await this.#collect(group, session, most);
      for (const [place, collected] of group) byPlace.set(place, await this.#finish(collected, session));
    }
    return { byPlace, unseen: this.#unseen };
  }

  // The number of rows of each stretch.
  async #count(): Promise<Map<number, number>> {
    const rows = new Map<number, number>();
    const add = (place: number): void => void rows.set(place, (rows.get(place) ?? 0) + 1);
    const { timeline, index, head, pacer, stretches } = this;
    for await (const { from, to } of ownEvents(timeline, index, head, pacer)) {
      if (!this.#sees(from, to)) {
        this.#unseen++;
        continue;
      }
      if (from >= timeline.firstOwn) add(stretches.place(from));
      if (to !== FOREVER) add(stretches.place(to));
    }
    return rows;
  }

  // What a line ends of the lines below is seen where the line begins.
  #sees(from: number, to: number): boolean {
    return from < this.timeline.firstOwn || this.stretches.sees(from, to);
  }

  async #collect(group: ReadonlyMap<number, Collected>, session: RunSession, most: number): Promise<void> {
    const { timeline, index, head, pacer, stretches } = this;
    let quad: readonly number[] = [];
    let endedAt = -1;
    for await (const { ids, from, to } of ownEvents(timeline, index, head, pacer)) {
      if (!this.#sees(from, to)) continue;
      if (ids.some((id, i) => id !== quad[i])) [quad, endedAt] = [[...ids], -1];
      const begins = from >= timeline.firstOwn ? stretches.place(from) : -1;
      const began = group.get(begins);
      if (began !== undefined) {
        began.added.push(...ids, from, FOREVER);
        // What ended in the same stretch is there again: nothing has changed.
        if (endedAt === begins) began.removedCount--;
        else began.addedCount++;
        if (began.rows >= most) await this.#spill(began, session);
      }
      endedAt = to === FOREVER ? -1 : stretches.place(to);
      const ended = group.get(endedAt);
      if (ended === undefined) continue;
      ended.removed.push(...ids, from, to);
      ended.removedCount++;
      if (ended.rows >= most) await this.#spill(ended, session);
    }
  }

  async #spill(collected: Collected, session: RunSession): Promise<void> {
    const job = { session, pacer: this.pacer };
    for (const [side, kind] of [['added', 'live'] as const, ['removed', 'tombstone'] as const]) {
      const rows = collected[side];
      if (rows.length === 0) continue;
      const options = { kind, logOwned: true, orders: [SPOG] };
      const chunk = await writeOrders(session, rows, options, this.pacer);
      collected.aside[side] = await withChunk(job, collected.aside[side], chunk, kind);
      rows.clear();
    }
  }

  async #finish(collected: Collected, session: RunSession): Promise<SquashDelta> {
    if (collected.rows > RECORD_ROWS) await this.#spill(collected, session);
    const { added, removed, aside, addedCount, removedCount } = collected;
    const isAside = aside.added.length + aside.removed.length > 0;
    const runsOf = (tiers: readonly Tier[]): PayloadRun[] => tiers.map(({ payload }) => payload);
    return {
      added: quadsOf(added),
      removed: quadsOf(removed),
      payload: isAside ? { added: runsOf(aside.added), removed: runsOf(aside.removed) } : undefined,
      addedCount,
      removedCount,
    };
  }
}
