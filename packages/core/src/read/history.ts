/** The events of quads that match a pattern: when they were added and removed. */
import type * as RDF from '@rdfjs/types';
import { Pacer } from '../runtime/env.js';
import { FOREVER } from '../format/layout.js';
import type { IdPattern } from '../index/orders.js';
import { QuadDecoder } from './quad-decoder.js';
import type { Snapshot } from './snapshot.js';
import { intervalsOf } from '../index/read/intervals.js';

/** A revision added or removed a quad. */
export interface HistoryEvent {
  /** Whether the revision has added or removed the quad. */
  readonly op: 'add' | 'remove';
  /** Number of the revision. */
  readonly number: number;
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
}

/** The first and last revision to read, both included. */
export interface HistoryRange {
  readonly first: number;
  readonly last: number;
  /** The revision that stands for one that was trimmed. */
  readonly kept: (number: number) => number;
}

const BATCH_EVENTS = 512;

/**
 * The events of the matching quads, grouped by quad and sorted by revision within a quad. `snapshot` is a snapshot of
 * the newest revision; later terms and intervals do not count.
 */
export async function* historyOf(
  snapshot: Snapshot,
  ids: IdPattern,
  { first, last, kept }: HistoryRange,
  signal?: AbortSignal,
): AsyncGenerator<HistoryEvent[]> {
  const { timeline, number, index } = snapshot;
  const pacer = new Pacer(timeline.env, 4, signal);
  let batch = new EventColumns();
  const push = (quad: readonly number[], at: number, op: 'add' | 'remove'): void => {
    if (at >= first && at <= last) batch.push(quad, at, op);
  };
  let open: { readonly quad: readonly number[]; readonly to: number } | undefined;
  for await (const { ids: quad, ...interval } of intervalsOf(index, ids, number, pacer)) {
    const from = kept(interval.from);
    const to = interval.to === FOREVER ? FOREVER : kept(interval.to);
    if (from === to) continue;
    // Where one interval of a quad ends and the next one begins, nothing has changed: a trim has removed what was between them.
    const goesOn = from === open?.to && quad.every((id, i) => id === open!.quad[i]);
    if (open !== undefined && !goesOn) push(open.quad, open.to, 'remove');
    if (!goesOn) push(quad, from, 'add');
    open = to === FOREVER ? undefined : { quad: [...quad], to };
    if (batch.length < BATCH_EVENTS) continue;
    yield* batch.decode(snapshot, pacer);
    batch = new EventColumns();
  }
  if (open !== undefined) push(open.quad, open.to, 'remove');
  yield* batch.decode(snapshot, pacer);
}

class EventColumns {
  readonly #ids: number[][] = [[], [], [], []];
  readonly #numbers: number[] = [];
  readonly #ops: ('add' | 'remove')[] = [];

  get length(): number {
    return this.#numbers.length;
  }

  push(ids: readonly number[], number: number, op: 'add' | 'remove'): void {
    for (let place = 0; place < 4; place++) this.#ids[place]!.push(ids[place]!);
    this.#numbers.push(number);
    this.#ops.push(op);
  }

  async *decode(snapshot: Snapshot, pacer: Pacer): AsyncGenerator<HistoryEvent[]> {
    const [s, p, o, g] = this.#ids.map((column) => Uint32Array.from(column)) as [Column, Column, Column, Column];
    let at = 0;
    const decoder = new QuadDecoder(snapshot.timeline.decoder);
    for await (const quads of decoder.pieces({ s, p, o, g }, this.length, pacer)) {
      yield quads.map((quad, i) => ({ op: this.#ops[at + i]!, number: this.#numbers[at + i]!, quad }));
      at += quads.length;
      snapshot.check();
    }
  }
}

type Column = Uint32Array;
