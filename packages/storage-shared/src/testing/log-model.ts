/** What may act on a log: writers, collectors and readers; and what must be true of it afterwards. */

import type { TestApi } from '@quadrille/storage/testing';
import type { Bytes } from '@quadrille/storage';
import type { LogEntry, SharedDriver } from '../contract.js';
import { LogReader, type Fold } from '../log/log-reader.js';
import { LogWriter } from '../log/log-writer.js';
import { replaceCheckpoint } from '../log/replace-root.js';

/** The number of the log of the model. */
export const MODEL_LOG = 7;

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
export interface Told {
  readonly acknowledged: number[];
  readonly refused: number[];
  /** The lists that readers have seen. */
  readonly seen: number[][];
  /** The last position and the epoch of each take-over. */
  readonly takeOvers: { readonly position: number; readonly epoch: number }[];
}

/** One actor. Its calls of the driver may be delayed, and their answers lost. */
export type ModelActor = (driver: SharedDriver, told: Told) => Promise<void>;

/** @param name one hexadecimal digit */
const uuid = (name: string, n: number): string => `00000000-0000-4000-8000-${name}${String(n).padStart(11, '0')}`;

/** Takes over, and appends the values one after the other until another one takes over. */
export function writer(name: string, values: readonly number[]): ModelActor {
  return async (driver, { acknowledged, refused, takeOvers }) => {
    let next = 0;
    const options = { server: name, newId: () => uuid(name, next++), pause: async () => undefined };
    const left = [...values];
    try {
      const reader = new LogReader(driver, MODEL_LOG, new List());
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
      else if (code !== 'LEASE_LOST') throw error;
      refused.push(...left);
    }
  };
}

/** Replaces the beginning of the log by a checkpoint, and deletes what it covers. */
export function collector(name: string): ModelActor {
  return async (driver) => {
    const list = new List();
    const reader = new LogReader(driver, MODEL_LOG, list);
    for (let round = 0; round < 2; round++) {
      await reader.catchUp();
      const { position, id, epoch, root } = reader;
      if (id === undefined) continue;
      const pack = { id: `${name}${round}`, bytes: Uint8Array.from(list.values) };
      await driver.putPacks(MODEL_LOG, [pack]);
      const packs = [{ pack: pack.id, length: pack.bytes.length }];
      if (!(await replaceCheckpoint(reader, { position, id, epoch, packs }))) continue;
      await driver.trim(MODEL_LOG, position + 1);
      if (root.checkpoint !== undefined) await driver.deletePacks(MODEL_LOG, [root.checkpoint.packs[0]!.pack]);
    }
  };
}

/** Reads the log some times. */
export function reader(times: number): ModelActor {
  return async (driver, { seen }) => {
    const list = new List();
    const log = new LogReader(driver, MODEL_LOG, list);
    for (let round = 0; round < times; round++) {
      await log.catchUp();
      seen.push([...list.values]);
    }
  };
}

/** Nothing is told yet. */
export const nothingTold = (): Told => ({ acknowledged: [], refused: [], seen: [], takeOvers: [] });

/** Compares what actors were told with what is in the log, read through a new driver. */
export async function checkTold(expect: TestApi['expect'], driver: SharedDriver, told: Told): Promise<void> {
  const list = new List();
  await new LogReader(driver, MODEL_LOG, list).catchUp();
  const { values } = list;
  expect(new Set(values).size).toBe(values.length);
  expect(told.acknowledged.filter((value) => !values.includes(value))).toEqual([]);
  expect(told.refused.filter((value) => values.includes(value))).toEqual([]);
  for (const seen of told.seen) expect(values.slice(0, seen.length)).toEqual(seen);
  for (const tens of [1, 2, 3]) {
    const own = values.filter((value) => Math.floor(value / 10) === tens);
    expect(own).toEqual([...own].sort((a, b) => a - b));
  }
}
