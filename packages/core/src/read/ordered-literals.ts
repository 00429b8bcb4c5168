/** Finds the literals of a snapshot whose values are in a range. */
import { CorruptionError } from '@quadrille/model';
import { type EndSignal, Pacer } from '../runtime/env.js';
import type { QuadScan } from '../index/read/quad-scan.js';
import { MISS } from '../keyspace/block-cache.js';
import type { Timeline } from '../timeline/timeline.js';
import {
  countBetween,
  type KeyedIds,
  keyedTest,
  type KeyRange,
  OrderIndex,
  stepKeys as step,
} from '../values/order-index.js';
import type { OrderRun } from '../values/order-run.js';
import type { View } from '../values/value-index.js';

export type { KeyedIds, KeyRange } from '../values/order-index.js';

/** The state whose literals are asked for. */
interface OrderedState {
  readonly timeline: Timeline;
  /** Terms with lower ids are known to it. */
  readonly termMark: number;
}

/** A scan of objects. */
type Scan = Pick<QuadScan, 'next' | 'fetch' | 'o' | 'start' | 'end' | 'close'>;

/** Predicates that are remembered. */
const MOST_PREDICATES = 1024;

/** `undefined`: the index has not all literals yet, or is damaged. */
async function asked<T>(
  { timeline, termMark }: OrderedState,
  ask: (index: OrderIndex, view: View<OrderRun>) => Promise<T>,
): Promise<T | undefined> {
  let index: OrderIndex | undefined;
  let view: View<OrderRun> | undefined;
  try {
    index = await OrderIndex.open(timeline.dictionary);
    if (index.isDamaged || index.isBehind(termMark)) return undefined;
    view = await index.view(termMark);
    return await ask(index, view);
  } catch (error) {
    // The literals themselves are read instead. `verify` tells, and `rebuild` makes the index again.
    if (!(error instanceof CorruptionError)) throw error;
    if (index !== undefined) index.isDamaged = true;
    return undefined;
  } finally {
    view?.release();
  }
}

/** All literals with keys in a range, and some that only other revisions know. */
export const keysBetween = (state: OrderedState, range: KeyRange, ends?: EndSignal): Promise<KeyedIds | undefined> =>
  asked(state, (index, view) => index.between(view, range, new Pacer(state.timeline.env, undefined, ends)));

/** How many literals have keys in a range. */
export const countKeys = (state: OrderedState, range: KeyRange): Promise<number | undefined> =>
  asked(state, (_, view) => countBetween(view, range));

/** Where a part of a range ends that has about `rows` literals: see {@link step}; `null`: so many are not left. */
export const stepKeys = (
  state: OrderedState,
  range: KeyRange,
  rows: number,
  descending: boolean,
): Promise<number | null | undefined> =>
  asked(state, async (_, view) => (await step(view, range, rows, descending)) ?? null);

/** Whether the objects of a predicate that are in the dictionary all have keys. `open` scans them in their order. */
export function areKeyed(
  state: OrderedState & { readonly revision: string },
  predicate: number,
  open: () => Scan,
  ends?: EndSignal,
): Promise<boolean | undefined> {
  return asked(state, async (index, view) => {
    const known = index.predicates.get(predicate);
    if (known?.revision === state.revision) return known.areKeyed;
    const found = await allKeyed(await keyedTest(view), open(), new Pacer(state.timeline.env, undefined, ends));
    if (index.predicates.size === MOST_PREDICATES) index.predicates.clear();
    index.predicates.set(predicate, { revision: state.revision, areKeyed: found });
    return found;
  });
}

async function allKeyed(isKeyed: (id: number) => boolean, scan: Scan, pacer: Pacer): Promise<boolean> {
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return true;
      if (rows === MISS) await scan.fetch();
      else for (let row = scan.start; row < scan.end; row++) if (!isKeyed(scan.o[row]!)) return false;
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    scan.close();
  }
}
