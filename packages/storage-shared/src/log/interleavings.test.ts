/** Two writers, a taker, a collector and a reader over one log, in every order of their calls. */
import type { Bytes } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { describe, expect, test } from 'vitest';
import type { LogEntry, SharedDriver } from '../contract.js';
import { SharedMemory, SharedMemoryDriver } from '../memory-driver.js';
import { explore, type Course } from '../testing/explore.js';
import { LogReader, type Fold } from './log-reader.js';
import { LogWriter } from './log-writer.js';
import { replaceCheckpoint } from './replace-root.js';

const LOG = 7;

/** A list of bytes: every entry adds one. */
class List implements Fold {
  values: number[] = [];

  reset(parts: readonly Bytes[]): void {
    this.values = parts.flatMap((part) => [...part]);
  }

  apply({ body }: LogEntry): void {
    this.values.push(...body);
  }
}

/** What actors were told. */
interface Told {
  readonly acknowledged: number[];
  readonly refused: number[];
  /** The lists that readers have seen. */
  readonly seen: number[][];
  /** The last position and the epoch of each take-over. */
  readonly takeOvers: { readonly position: number; readonly epoch: number }[];
}

type Body = (driver: SharedDriver, told: Told) => Promise<void>;

/** Takes over, and appends the values one after the other until another one takes over. */
function writer(name: string, values: readonly number[]): Body {
  return async (driver, { acknowledged, refused, takeOvers }) => {
    let next = 0;
    const options = { server: name, newId: () => `${name}${next++}`, pause: async () => undefined };
    const left = [...values];
    try {
      const reader = new LogReader(driver, LOG, new List());
      const log = await LogWriter.takeOver(reader, options);
      takeOvers.push({ position: reader.position, epoch: log.epoch });
      for (; left.length > 0; left.shift()) {
        await log.append(Uint8Array.of(left[0]!));
        acknowledged.push(left[0]!);
      }
    } catch (error) {
      const { code } = error as { code?: unknown };
      // Of what is unknown nothing is promised, except that it is there once or not at all.
      if (code === 'COMMIT_UNKNOWN') left.shift();
      else expect(code).toBe('LEASE_LOST');
      refused.push(...left);
    }
  };
}

/** Replaces the beginning of the log by a checkpoint, and deletes what it covers. */
function collector(name: string): Body {
  return async (driver) => {
    const list = new List();
    const reader = new LogReader(driver, LOG, list);
    for (let round = 0; round < 2; round++) {
      await reader.catchUp();
      const { position, id, epoch, root } = reader;
      if (id === undefined) continue;
      const pack = { id: `${name}${round}`, bytes: Uint8Array.from(list.values) };
      await driver.putPacks(LOG, [pack]);
      const packs = [{ pack: pack.id, length: pack.bytes.length }];
      if (!(await replaceCheckpoint(reader, { position, id, epoch, packs }))) continue;
      await driver.trim(LOG, position + 1);
      if (root.checkpoint !== undefined) await driver.deletePacks(LOG, [root.checkpoint.packs[0]!.pack]);
    }
  };
}

function reader(times: number): Body {
  return async (driver, { seen }) => {
    const list = new List();
    const log = new LogReader(driver, LOG, list);
    for (let round = 0; round < times; round++) {
      await log.catchUp();
      seen.push([...list.values]);
    }
  };
}

function course(bodies: readonly Body[]): Course {
  const memory = new SharedMemory();
  const told: Told = { acknowledged: [], refused: [], seen: [], takeOvers: [] };
  const check = async (): Promise<void> => {
    const list = new List();
    await new LogReader(new SharedMemoryDriver(memory), LOG, list).catchUp();
    const { values } = list;
    expect(new Set(values).size, `twice: ${values.join()}`).toBe(values.length);
    for (const value of told.acknowledged) expect(values, 'acknowledged').toContain(value);
    for (const value of told.refused) expect(values, 'refused').not.toContain(value);
    for (const seen of told.seen) expect(values.slice(0, seen.length), 'seen').toEqual(seen);
    for (const { position, epoch } of told.takeOvers) {
      const later = memory.log(LOG).entries.filter((entry) => entry.position > position && entry.epoch < epoch);
      expect(later, `behind the take-over of epoch ${epoch}`).toEqual([]);
    }
    for (const tens of [1, 2, 3]) {
      const own = values.filter((value) => Math.floor(value / 10) === tens);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  };
  return { memory, actors: bodies.map((body) => (driver) => body(driver, told)), check };
}

/** Printed, so that a failure can be repeated. */
const SEED = Number(process.env['QUADRILLE_SEED'] ?? Date.now() % 100_000);
const ALL = process.env['QUADRILLE_SHARE'] === 'all';

describe('a shared log', () => {
  test.each([
    ['two writers', [writer('a', [10, 11]), writer('b', [20])], 2],
    ['a writer, a taker and a reader', [writer('a', [10]), writer('b', [20]), reader(2)], 1],
    ['a writer, a collector and a reader', [writer('a', [10, 11]), collector('c'), reader(2)], 1],
    ['two collectors and a writer', [collector('c'), collector('d'), writer('a', [10])], 0],
  ] as const)(
    `%s, in ${ALL ? 'every order' : `300 orders (QUADRILLE_SEED=${SEED}, QUADRILLE_SHARE=all: every order)`}`,
    { timeout: 300_000 },
    async (_, bodies, losses) => {
      const random = seededRandom(SEED);
      const some = { runs: 300, choose: (count: number) => Math.floor(random() * count) };
      const { states } = await explore({ course: () => course(bodies), losses, ...(ALL ? {} : some) });
      expect(states).toBeGreaterThan(100);
    },
  );

  test(`two writers, a taker, a collector and a reader, in 500 orders (QUADRILLE_SEED=${SEED})`, async () => {
    const bodies = [writer('a', [10, 11]), writer('b', [20, 21]), writer('d', [30]), collector('c'), reader(3)];
    const random = seededRandom(SEED);
    const choose = (count: number): number => Math.floor(random() * count);
    const { states } = await explore({ course: () => course(bodies), losses: 3, runs: ALL ? 50_000 : 500, choose });
    expect(states).toBeGreaterThan(1000);
  });
});
