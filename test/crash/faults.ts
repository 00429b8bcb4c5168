/**
 * One fault of the storage at one call of a scenario: what was acknowledged stays, what failed is there whole or not at
 * all, the store goes on, nothing is left open.
 */
import { join } from 'node:path';
import type { Tuning } from '@quadrille/core';
import { QuadrilleError } from '@quadrille/model';
import { MemoryDriver, type StorageDriver } from '@quadrille/storage';
import { BlobDriver, JournalledDriver } from '@quadrille/storage-directory';
import {
  SimulatedBlobFiles,
  SimulatedJournalFiles,
  type BlobOperation,
  type JournalOperation,
} from '@quadrille/storage-directory/testing';
import { FaultDriver, type FaultEffect, type FaultOperation } from '@quadrille/storage/testing';
import { LmdbDirectory } from '@quadrille/lmdb';
import { check } from '../model/check.js';
import { AsynchronousDriver } from '../model/environment.js';
import { differenceText, perform } from '../model/operations.mjs';
import { Life, look, NAME, NOTHING, STEPS, strayRepositories, TUNING } from './scenario.js';
import type { Seen, Step } from './scenario.js';

export type Operation = FaultOperation | `journal ${JournalOperation}` | `blob ${BlobOperation}`;
export const CALLS: readonly Operation[] = ['write', 'get', 'getMany', 'range', 'open', 'close'];
export const FILE_CALLS: readonly Operation[] = [
  ...(['journal write', 'journal sync', 'journal open', 'journal read'] as const),
  ...(['blob list', 'blob create', 'blob write', 'blob sync', 'blob read', 'blob remove'] as const),
];

/** A driver and where faults come into it. */
export interface Faulty {
  readonly driver: StorageDriver;
  readonly calls: Readonly<Record<Operation, number>>;
  readonly fired: number;
  readonly openIterators: number;
  setFault(fault?: FaultAt): void;
}

export interface FaultAt {
  readonly effect: FaultEffect;
  readonly repeat: 'once' | 'forever';
  readonly at: number;
  readonly operation: Operation;
  /** Of the error of the system. Default `EIO`. */
  readonly code?: SystemCode;
}

export const SYSTEM_CODES = ['EIO', 'ENOSPC', 'EMFILE'] as const;
export type SystemCode = (typeof SYSTEM_CODES)[number];

/** Faults of a storage and of the files of a journal and of blobs, where these are before it. */
class FaultyStorage implements Faulty {
  readonly driver: StorageDriver;
  readonly #storage: FaultDriver;
  readonly #files = { journal: new SimulatedJournalFiles(), blob: new SimulatedBlobFiles() };

  constructor(storage: StorageDriver, before?: 'journal' | 'blobs') {
    this.#storage = new FaultDriver(storage);
    const { journal, blob } = this.#files;
    // Batches of all sizes pass the journal by, some stay in it.
    if (before === 'journal')
      this.driver = new JournalledDriver(this.#storage, journal, { fileBytes: 900, recordBytes: 400, boot: 'same' });
    else if (before === 'blobs')
      this.driver = new BlobDriver(this.#storage, blob, { valueBytes: 40, batchBytes: 100, fileBytes: 1500 });
    else this.driver = this.#storage;
  }

  get calls(): Readonly<Record<Operation, number>> {
    const files = Object.entries(this.#files).flatMap(([what, { calls }]) =>
      Object.entries(calls).map(([operation, count]) => [`${what} ${operation}`, count]),
    );
    return { ...this.#storage.calls, ...Object.fromEntries(files) } as Record<Operation, number>;
  }

  get fired(): number {
    return this.#storage.fired + this.#files.journal.fired + this.#files.blob.fired;
  }

  get openIterators(): number {
    return this.#storage.openIterators;
  }

  setFault(fault?: FaultAt): void {
    const { journal, blob } = this.#files;
    for (const faulty of [this.#storage, journal, blob]) faulty.setFault();
    if (fault === undefined) return;
    const { operation, effect, code = 'EIO', ...rest } = fault;
    const [what, name] = operation.split(' ');
    const error = Object.assign(new Error(`injected fault in ${operation}`), { code });
    const inFiles = { at: fault.at, error, torn: effect === 'throwAfterApply' ? Number.MAX_SAFE_INTEGER : 10 };
    if (what === 'journal') journal.setFault({ ...inFiles, operation: name as JournalOperation });
    else if (what === 'blob') blob.setFault({ ...inFiles, operation: name as BlobOperation });
    else this.#storage.setFault({ ...rest, error, effect, operations: [operation as FaultOperation] });
  }
}

let stores = 0;
const lmdb = (directory: string) => new LmdbDirectory(join(directory, `${++stores}`), { create: true, noSync: true });

/** By name, with the share of them that the suite tries. Those on a disk are in the directory. */
export const driversIn = (
  directory: string,
): Readonly<Record<string, { makeDriver: () => Faulty; share: number }>> => ({
  'with getSync': { makeDriver: () => new FaultyStorage(new MemoryDriver()), share: 1 },
  // Its calls are the same in another guise: a share of them, which the seed chooses.
  'without getSync': { makeDriver: () => new FaultyStorage(new AsynchronousDriver()), share: 0.25 },
  'over LMDB': { makeDriver: () => new FaultyStorage(lmdb(directory)), share: 0.05 },
  'behind a journal': { makeDriver: () => new FaultyStorage(new MemoryDriver(), 'journal'), share: 0.08 },
  'behind blob files': { makeDriver: () => new FaultyStorage(new MemoryDriver(), 'blobs'), share: 0.04 },
});

function differs(actual: Seen, expected: Seen): string | undefined {
  if (actual.states?.length !== expected.states?.length) {
    return `head ${(actual.states?.length ?? 0) - 1}, not ${(expected.states?.length ?? 0) - 1}`;
  }
  for (const [number, state] of (actual.states ?? []).entries()) {
    const difference = differenceText(state, expected.states![number]!);
    if (difference !== undefined) return `revision ${number}: ${difference}`;
  }
  for (const what of ['tags', 'namespaces'] as const) {
    const text = (seen: Seen): string => JSON.stringify([...seen[what]].sort());
    if (text(actual) !== text(expected)) return `${what} ${text(actual)}, not ${text(expected)}`;
  }
  return undefined;
}

function settle(actual: Seen, allowed: readonly Seen[], when: string): Seen {
  const reasons: string[] = [];
  for (const outcome of allowed) {
    const reason = differs(actual, outcome);
    if (reason === undefined) return outcome;
    reasons.push(reason);
  }
  throw new Error(`${when}: neither as before nor as after:\n${reasons.join('\n')}`);
}

interface Steps {
  readonly steps?: readonly Step[];
  readonly tuning?: Partial<Tuning>;
  /** The fault after one that was hit, or that no call of some steps has met. Default: the life ends with the first. */
  readonly next?: () => FaultAt;
}

/** Steps after which a fault that was not hit gives way to the next one. */
const PATIENCE = 3;

/** Runs the scenario, or other steps, with a fault, and others after it; answers how many were hit. */
export async function runWith(
  makeDriver: () => Faulty,
  fault: FaultAt,
  name: string,
  { steps = STEPS, tuning = TUNING, next }: Steps = {},
): Promise<number> {
  const driver = makeDriver();
  const life = new Life(driver.driver, tuning);
  driver.setFault(fault);
  let seen = NOTHING;
  let hits = 0;
  let waited = 0;
  const open: Step = { name: 'open', run: () => life.open(), expect: (before) => before };
  for (const step of [open, ...steps]) {
    const after = step.expect(seen);
    const when = `${name} in "${step.name}"${hits === 0 ? '' : `, after ${hits} others`}`;
    let failure: unknown;
    try {
      await step.run(life);
      await life.settle();
    } catch (error) {
      failure = error;
    }
    const firedNow = driver.fired > 0;
    if (failure !== undefined) {
      if (!firedNow) throw failure;
      check(failure instanceof QuadrilleError, () => `${when}: ${String(failure)}`);
    }
    if (!firedNow) {
      seen = after;
      if (next !== undefined && ++waited >= PATIENCE) {
        driver.setFault(next());
        waited = 0;
      }
      continue;
    }
    hits++;
    waited = 0;
    driver.setFault();
    const allowed = failure === undefined ? [after] : [seen, after, ...(step.partly?.(seen) ?? [])];
    seen = await recover(life, allowed, when, hits);
    if (next === undefined) break;
    driver.setFault(next());
  }
  driver.setFault();
  if (hits > 0 && life.store.engine.state !== 'closed') await verified(life, `${name}, at the end`);
  await life.store?.close().catch(() => undefined);
  check(driver.openIterators === 0, () => `${name}: iterators left open`);
  return hits;
}

/** Newest revisions that are read before the store is opened again. All are read after it. */
const READ_BEFORE = 3;

/** `allowed`: what may be there now. Answers what is there in the end. @param nth of the faults of this life */
async function recover(life: Life, allowed: readonly Seen[], when: string, nth: number): Promise<Seen> {
  let now = allowed;
  if (life.store !== undefined && life.store.engine.state !== 'closed') {
    // The next write makes it whole; what failed may have been done.
    if (allowed.every((seen) => seen.states !== undefined)) now = [await writeOn(life, allowed, when, nth)];
    await verified(life, `${when}, before reopening`);
    await life.store.close();
  }
  await life.open();
  const seen = settle(await look(life), now, `${when}, reopened`);
  await verified(life, `${when}, reopened`);
  const stray = await strayRepositories(life);
  check(stray.length === 0, () => `${when}: keys of a repository that is gone: ${stray.join()}`);
  await life.store.repository(NAME, true);
  const line = `<a:z> <a:p> "more ${nth}" .`;
  await perform(await life.repository(), { kind: 'change', added: [line], removed: [] });
  const { states = [new Set(), new Set()] } = seen;
  return { ...seen, states: [...states, new Set(states.at(-1)).add(line)] };
}

async function writeOn(life: Life, allowed: readonly Seen[], when: string, nth: number): Promise<Seen> {
  const line = `<a:probe> <a:p> "after the fault ${nth}" .`;
  const write = async (): Promise<unknown> =>
    perform(await life.repository(), { kind: 'change', added: [line], removed: [] });
  // Work in the background can meet the failure only now: then this write fails too, and the next one does not.
  const refused = await write().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refused !== undefined) {
    check(refused instanceof QuadrilleError, () => `${when}: ${String(refused)}`);
    await life.settle();
    await write();
  }
  const now = await look(life, READ_BEFORE, allowed[0]!.states);
  settle({ ...now, states: now.states!.slice(0, -1) }, allowed, `${when}, next write`);
  check(now.states!.at(-1)!.has(line), () => `${when}: the next write is lost`);
  return now;
}

async function verified(life: Life, when: string): Promise<void> {
  await life.settle();
  const report = await life.store.verify();
  check(report.ok, () => `${when}: ${JSON.stringify(report.problems)}`);
}

/** How often each kind of call is made by the scenario. */
export async function countCalls(makeDriver: () => Faulty): Promise<Readonly<Record<Operation, number>>> {
  const driver = makeDriver();
  const life = new Life(driver.driver);
  await life.open();
  let seen = NOTHING;
  for (const step of STEPS) {
    await step.run(life);
    await life.settle();
    seen = step.expect(seen);
    const wrong = life.store.engine.state === 'closed' ? undefined : differs(await look(life), seen);
    if (wrong !== undefined) throw new Error(`without faults, after "${step.name}": ${wrong}`);
  }
  // Again without looking, so that only the scenario's own calls count.
  const counted = makeDriver();
  const quiet = new Life(counted.driver);
  await quiet.open();
  for (const step of STEPS) {
    await step.run(quiet);
    await quiet.settle();
  }
  return counted.calls;
}

export const FAULTS: {
  effect: FaultEffect;
  repeat: 'once' | 'forever';
  calls: readonly Operation[];
  every: boolean;
}[] = [
  { effect: 'fail', repeat: 'once', calls: CALLS, every: true },
  { effect: 'fail', repeat: 'forever', calls: CALLS, every: false },
  { effect: 'throwAfterApply', repeat: 'once', calls: ['write', 'open', 'close'], every: false },
  { effect: 'throwAfterApply', repeat: 'forever', calls: ['write'], every: false },
  { effect: 'unknown', repeat: 'once', calls: ['write'], every: false },
  { effect: 'unknown', repeat: 'forever', calls: ['write'], every: false },
  { effect: 'short', repeat: 'once', calls: ['range'], every: true },
  { effect: 'fail', repeat: 'once', calls: FILE_CALLS, every: true },
  { effect: 'throwAfterApply', repeat: 'once', calls: ['journal write', 'blob write'], every: true },
];
