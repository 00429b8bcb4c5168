/** When quads came and went: the intervals of those that match a pattern, as events. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { Pacer } from '../runtime/env.js';
import { FOREVER } from '../format/layout.js';
import type { IdPattern } from '../index/orders.js';
import type { Generation } from '../open/generation.js';
import type { Snapshot } from './snapshot.js';
import { intervalsOf } from '../index/read/intervals.js';

/** A quad came with a revision, or went with it. */
export interface HistoryEvent {
  readonly op: 'add' | 'remove';
  /** Ordinal of the revision. */
  readonly number: number;
  readonly quad: RDF.Quad;
}

/** Which revisions count, both included. */
export interface HistoryRange {
  readonly first: number;
  readonly last: number;
}

const BATCH_EVENTS = 512;

/**
 * The events of the quads that match, quad after quad and those of one quad by revision. The snapshot, of the
 * newest revision, bounds what is known of the pattern's terms and of the intervals.
 */
export async function* historyOf(
  snapshot: Snapshot,
  ids: IdPattern,
  { first, last }: HistoryRange,
  signal?: AbortSignal,
): AsyncGenerator<HistoryEvent[]> {
  const { generation, number, state } = snapshot;
  const pacer = new Pacer(generation.env, 4, signal);
  let batch = new EventColumns();
  for await (const { ids: quad, from, to } of intervalsOf(state, ids, number, pacer)) {
    if (from >= first && from <= last) batch.push(quad, from, 'add');
    if (to !== FOREVER && to >= first && to <= last) batch.push(quad, to, 'remove');
    if (batch.length < BATCH_EVENTS) continue;
    yield await batch.decode(generation);
    snapshot.check();
    batch = new EventColumns();
  }
  if (batch.length > 0) yield await batch.decode(generation);
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

  async decode({ decoder }: Generation): Promise<HistoryEvent[]> {
    const terms: RDF.Term[][] = [];
    for (const column of this.#ids) terms.push(await decoder.decodeAll(Uint32Array.from(column), 0, column.length));
    const [subjects, predicates, objects, graphs] = terms as [
      RDF.Quad_Subject[],
      RDF.Quad_Predicate[],
      RDF.Quad_Object[],
      RDF.Quad_Graph[],
    ];
    return this.#numbers.map((number, i) => ({
      op: this.#ops[i]!,
      number,
      quad: dataFactory.quad(subjects[i]!, predicates[i]!, objects[i]!, graphs[i]!),
    }));
  }
}
