/** Rules about reads that begin while a batch is under way: each shows one state that the store had, and none goes back. */

import type { Bytes, KeyRange, RangeOptions, WriteOp } from '../contract.js';
import type { StorageEngine } from '../engine.js';
import { deleteRange, numberKey, put, show, text } from './conformance-tools.js';
import type { RuleContext, Rules } from './conformance-rule.js';
import { seededRandom } from './random.js';

const BATCHES = 40;
/** Number of keys, and of those at the end that range deletions cover. */
const KEYS = 24;
const DELETED_KEYS = 8;
/** Every so many batches one is large: backends may take another path for it. */
const LARGE_EVERY = 4;
const LARGE_BYTES = 24 * 1024;

const keyOf = (i: number): Bytes => text(`k${String(i).padStart(2, '0')}`);
const RANGES: readonly (KeyRange & RangeOptions)[] = [
  {},
  { reverse: true },
  { gte: keyOf(3), lt: keyOf(KEYS - 2) },
  { limit: 5 },
  { reverse: true, limit: 7, read: 'values' },
  { read: 'keys' },
];

/** Key and value of each entry, in the order of the keys. */
type State = ReadonlyMap<string, string>;

/** Batches of all sizes over the same keys, and the state after each. The first state is empty. */
function history(random: () => number): { batches: WriteOp[][]; states: State[] } {
  const states: State[] = [new Map()];
  const batches: WriteOp[][] = [];
  for (let number = 1; number <= BATCHES; number++) {
    const large = number % LARGE_EVERY === 0;
    const value = new Uint8Array(large ? LARGE_BYTES : 8).fill(number);
    value.set(numberKey(number));
    const state = new Map(states.at(-1));
    const ops: WriteOp[] = [];
    if (random() < 0.3) {
      ops.push(deleteRange(show(keyOf(KEYS - DELETED_KEYS))!, 'kz'));
      for (let i = KEYS - DELETED_KEYS; i < KEYS; i++) state.delete(show(keyOf(i))!);
    }
    for (let i = 0; i < KEYS; i++) {
      // Every batch has the first key, as every commit has that of its head.
      if (i > 0 && random() > (large ? 0.5 : 0.2)) continue;
      const key = show(keyOf(i))!;
      if (i > 0 && random() < 0.2) {
        ops.push({ type: 'delete', key: keyOf(i) });
        state.delete(key);
      } else {
        ops.push(put(key, value));
        state.set(key, valueText(value));
      }
    }
    batches.push(ops);
    states.push(new Map([...state].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }
  return { batches, states };
}

const valueText = (value: Bytes): string => `${show(value.subarray(0, 4))} ${value.length}`;

/** What a range over a state has to show. */
function expected(state: State, { gte, lt, reverse, limit, read }: KeyRange & RangeOptions): string {
  let entries = [...state].filter(
    ([key]) => (gte === undefined || key >= show(gte)!) && (lt === undefined || key < show(lt)!),
  );
  if (reverse === true) entries.reverse();
  entries = entries.slice(0, limit);
  return entries.map(([key, value]) => entryText(key, value, read)).join('\n');
}

const entryText = (key: string, value: string, read: RangeOptions['read']): string =>
  `${read === 'values' ? '' : key}=${read === 'keys' ? '' : value}`;

async function shown(engine: StorageEngine, range: KeyRange & RangeOptions): Promise<string> {
  const { read = 'entries', ...bounds } = range;
  const found: string[] = [];
  for await (const chunk of engine.range(bounds, { read }))
    for (const { key, value } of chunk) found.push(entryText(show(key)!, valueText(value), read));
  return found.join('\n');
}

/** Checks that what is read belongs to states that only go forward. */
class Watch {
  /** No earlier state may be shown any more. */
  #at = 0;

  constructor(
    private readonly states: readonly State[],
    private readonly expect: RuleContext['expect'],
  ) {}

  /** The batch with this number was acknowledged. */
  acknowledged(number: number): void {
    this.#at = Math.max(this.#at, number);
  }

  /** @param begun the number of the newest batch that was handed over before the read had ended */
  sees(seen: string, begun: number, textOf: (state: State) => string): void {
    for (let number = this.#at; number <= begun; number++) {
      if (textOf(this.states[number]!) !== seen) continue;
      this.#at = number;
      return;
    }
    this.expect(`batches ${this.#at} to ${begun} show:\n${seen}`).toBe(`one of the states after them`);
  }
}

/** Writes all batches, and calls `read` again and again while each is under way, and once afterwards. */
async function beside(
  { engine, expect }: RuleContext,
  batches: readonly WriteOp[][],
  watch: Watch,
  read: (begun: number) => Promise<void>,
): Promise<void> {
  for (const [i, ops] of batches.entries()) {
    const call = { underWay: true };
    const writing = engine.write(ops, { durable: i % 2 === 0 }).finally(() => (call.underWay = false));
    while (call.underWay) {
      await read(i + 1);
      // A backend in memory answers reads without a turn of the event loop, which the batch may need.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect(await writing).toBe('ok');
    watch.acknowledged(i + 1);
    await read(i + 1);
  }
}

export const besideRules: Rules = {
  'a range that begins during a batch of any size shows one state': async (context) => {
    const { batches, states } = history(seededRandom(11));
    const watch = new Watch(states, context.expect);
    let turn = 0;
    await beside(context, batches, watch, async (begun) => {
      const range = RANGES[turn++ % RANGES.length]!;
      watch.sees(await shown(context.engine, range), begun, (state) => expected(state, range));
    });
  },
  'ranges that begin together during a batch show the same state, or one after the other': async (context) => {
    const { batches, states } = history(seededRandom(12));
    const watch = new Watch(states, context.expect);
    await beside(context, batches, watch, async (begun) => {
      const seen = await Promise.all([{}, {}, {}].map((range) => shown(context.engine, range)));
      const numbers = seen.map((text) => states.findIndex((state) => expected(state, {}) === text));
      context.expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers);
      for (const text of seen) watch.sees(text, begun, (state) => expected(state, {}));
    });
  },
  'reads of single keys during a batch never go back behind each other, or behind a range': async (context) => {
    const { batches, states } = history(seededRandom(13));
    const { engine, expect } = context;
    const watch = new Watch(states, expect);
    const random = seededRandom(14);
    const sees = (key: Bytes, value: Bytes | undefined, begun: number): void =>
      watch.sees(value === undefined ? '' : valueText(value), begun, (state) => state.get(show(key)!) ?? '');
    let turn = 0;
    await beside(context, batches, watch, async (begun) => {
      const key = turn % 2 === 0 ? keyOf(0) : keyOf(Math.floor(random() * KEYS));
      switch (turn++ % 4) {
        case 0:
        case 1:
          return sees(key, await engine.get(key), begun);
        case 2:
          return sees(key, (await engine.getMany([key]))[0], begun);
        default:
          if (engine.canGetSync) sees(key, engine.getSync(key), begun);
          watch.sees(await shown(engine, {}), begun, (state) => expected(state, {}));
      }
    });
  },
};
