/** Rules about states that stay: snapshots, and ranges that begin before, during or after a batch and end after later ones. */

import type { Bytes, Entry, WriteOp } from '../contract.js';
import type { StorageEngine } from '../engine.js';
import type { StorageSnapshot } from '../snapshot.js';
import { errorCode, list, numberKey, put, text, write } from './conformance-tools.js';
import type { RuleContext, Rules } from './conformance-rule.js';

/** So many entries that a backend reads them in several chunks. */
const KEYS = 700;
const VALUE_BYTES = 600;
const BATCHES = 9;
const HEAD = numberKey(KEYS);

const valueOf = (number: number): Bytes => new Uint8Array(VALUE_BYTES).fill(number + 1);
/** Every third batch has all keys, the others have a few. All have the head. */
const keysOf = (number: number): number[] =>
  number % 3 === 0 ? Array.from({ length: KEYS }, (_, i) => i) : [0, number, KEYS >> 1, KEYS - 1];

/** A batch and, by key, the number of the last batch that wrote it. */
function history(): { batches: WriteOp[][]; states: number[][] } {
  const states: number[][] = [];
  const batches = Array.from({ length: BATCHES }, (_, number) => {
    const state = [...(states.at(-1) ?? [])];
    for (const i of [...keysOf(number), KEYS]) state[i] = number;
    states.push(state);
    return [...keysOf(number).map(numberKey), HEAD].map((key) => put(key, valueOf(number)));
  });
  return { batches, states };
}

/** A read that began while the newest batch was one of these, and shows a state when it has ended. */
interface Begun {
  readonly from: number;
  readonly to: number;
  readonly end: () => Promise<number[]>;
}

async function beginRange(engine: StorageEngine): Promise<Begun['end']> {
  const range = engine.range({});
  const first = await range.next();
  return async () => {
    const entries = [...((first.value as readonly Entry[] | undefined) ?? [])];
    for await (const chunk of range) entries.push(...chunk);
    return entries.map(({ value }) => value[0]! - 1);
  };
}

async function beginSnapshot(engine: StorageEngine): Promise<Begun['end']> {
  const snapshot = await engine.snapshot();
  return async () => {
    const numbers: number[] = [];
    const keys = Array.from({ length: KEYS + 1 }, (_, i) => numberKey(i));
    for (const key of keys.slice(0, 5)) numbers.push(numberIn(await engine.get(key, { snapshot })));
    for (const value of await engine.getMany(keys.slice(5, 50), { snapshot })) numbers.push(numberIn(value));
    for await (const chunk of engine.range({ gte: keys[50]! }, { snapshot }))
      for (const { value } of chunk) numbers.push(value[0]! - 1);
    await snapshot.close();
    return numbers;
  };
}

const numberIn = (value: Bytes | undefined): number => (value === undefined ? -1 : value[0]! - 1);

/** Begins reads before, during and after each batch, and ends each after the next batch. */
async function acrossBatches(
  { engine, expect }: RuleContext,
  begin: (engine: StorageEngine) => Promise<Begun['end']>,
): Promise<void> {
  const { batches, states } = history();
  await write(engine, ...batches[0]!);
  let open: Begun[] = [];
  for (let number = 1; number < BATCHES; number++) {
    const begun: Begun[] = [{ from: number - 1, to: number - 1, end: await begin(engine) }];
    const writing = engine.write(batches[number]!, { durable: number % 2 === 0 });
    for (let n = 0; n < 2; n++) begun.push({ from: number - 1, to: number, end: await begin(engine) });
    expect(await writing).toBe('ok');
    begun.push({ from: number, to: number, end: await begin(engine) });
    let least = 0;
    for (const { from, to, end } of open) {
      const seen = await end();
      const shown = states.findIndex((state) => state.join() === seen.join());
      expect([from <= shown, shown <= to, least <= shown]).toEqual([true, true, true]);
      least = shown;
    }
    open = begun;
  }
  for (const { end } of open) await end();
}

export const snapshotRules: Rules = {
  'a range that begins before, during or after a batch and ends after later ones shows one state': (context) =>
    acrossBatches(context, beginRange),
  'a snapshot that is taken before, during or after a batch shows one state to all reads': (context) =>
    acrossBatches(context, beginSnapshot),
  'of a snapshot two keys are read as they were together': async ({ engine, expect }) => {
    await write(engine, put('a', '1'), put('b', '1'));
    const snapshot = await engine.snapshot();
    const first = await engine.get(text('a'), { snapshot });
    await write(engine, put('a', '2'), put('b', '2'), put('c', '2'));
    const [b, c] = await engine.getMany([text('b'), text('c')], { snapshot });
    expect([first, b, c]).toEqual([text('1'), text('1'), undefined]);
    expect(await list(engine, { reverse: true }, { snapshot })).toEqual(['b=1', 'a=1']);
    expect(await list(engine)).toEqual(['a=2', 'b=2', 'c=2']);
    await snapshot.close();
  },
  'a closed snapshot is not read, but by what has begun before': async ({ engine, expect }) => {
    await write(engine, ...Array.from({ length: KEYS }, (_, i) => put(numberKey(i), valueOf(1))));
    const snapshot = await engine.snapshot();
    const range = engine.range({}, { snapshot });
    let entries = (await range.next()).value!.length;
    await snapshot.close();
    await snapshot.close();
    await write(engine, { type: 'deleteRange', gte: numberKey(0), lt: HEAD });
    for (let n = 0; n < 3; n++) await engine.compact();
    for await (const chunk of range) entries += chunk.length;
    expect(entries).toBe(KEYS);
    const reads = [() => engine.get(HEAD, { snapshot }), () => list(engine, {}, { snapshot })];
    for (const read of reads) expect(await errorCode(read)).toBe('SNAPSHOT_CLOSED');
  },
  'a snapshot sees what files that were written anew do not have': async ({ engine, expect }) => {
    await write(engine, put('a', 'a'.repeat(2000)), put('b', '1'));
    const snapshot = await engine.snapshot();
    await write(engine, put('a', 'b'.repeat(2000)));
    for (let n = 0; n < 3; n++) await engine.compact();
    expect(await list(engine, {}, { snapshot })).toEqual([`a=${'a'.repeat(2000)}`, 'b=1']);
    await snapshot.close();
  },
  'closing the storage ends its snapshots': async ({ engine, expect }) => {
    await write(engine, put('a', '1'));
    const snapshot: StorageSnapshot = await engine.snapshot();
    await engine.close();
    expect(await errorCode(() => engine.get(text('a'), { snapshot }))).toBe('STORE_NOT_OPEN');
    await snapshot.close();
  },
};
