/**
 * Faults of the storage at every call of a scenario: what was acknowledged stays, what failed is there whole or not at
 * all, the store goes on, nothing is left open.
 *
 * QUADRILLE_FAULTS=all tries every call with every fault. Otherwise a run samples them, with a QUADRILLE_SEED that changes
 * with every run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuadrilleError } from '@quadrille/model';
import { MemoryDriver, type StorageDriver } from '@quadrille/storage';
import { BlobDriver, JournalledDriver } from '@quadrille/storage-directory';
import {
  SimulatedBlobFiles,
  SimulatedJournalFiles,
  type BlobOperation,
  type JournalOperation,
} from '@quadrille/storage-directory/testing';
import { FaultDriver, seededRandom, type FaultEffect, type FaultOperation } from '@quadrille/storage/testing';
import { LmdbDirectory } from '@quadrille/storage-lmdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AsynchronousDriver, SEED } from '../model/environment.js';
import { differenceText, perform } from '../model/operations.mjs';
import { Life, look, NAME, NOTHING, STEPS, strayRepositories } from './scenario.js';
import type { Seen, Step } from './scenario.js';

const ALL = process.env['QUADRILLE_FAULTS'] === 'all';
/** Chance that a single failure is tried at a call of the first driver. */
const SHARE = 0.2;
/** Chance that another fault is tried at a call. */
const SAMPLE = 0.008;
type Operation = FaultOperation | `journal ${JournalOperation}` | `blob ${BlobOperation}`;
const CALLS: readonly Operation[] = ['write', 'get', 'getMany', 'range', 'open', 'close'];
const FILE_CALLS: readonly Operation[] = [
  ...(['journal write', 'journal sync', 'journal open', 'journal read'] as const),
  ...(['blob list', 'blob create', 'blob write', 'blob sync', 'blob read', 'blob remove'] as const),
];

/** A driver and where faults come into it. */
interface Faulty {
  readonly driver: StorageDriver;
  readonly calls: Readonly<Record<Operation, number>>;
  readonly fired: number;
  readonly openIterators: number;
  setFault(fault?: FaultAt): void;
}

interface FaultAt {
  readonly effect: FaultEffect;
  readonly repeat: 'once' | 'forever';
  readonly at: number;
  readonly operation: Operation;
}

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
    const { operation, effect, ...rest } = fault;
    const [what, name] = operation.split(' ');
    const inFiles = { at: fault.at, torn: effect === 'throwAfterApply' ? Number.MAX_SAFE_INTEGER : 10 };
    if (what === 'journal') journal.setFault({ ...inFiles, operation: name as JournalOperation });
    else if (what === 'blob') blob.setFault({ ...inFiles, operation: name as BlobOperation });
    else this.#storage.setFault({ ...rest, effect, operations: [operation as FaultOperation] });
  }
}

let directory = '';
let stores = 0;
const lmdb = () => new LmdbDirectory(join(directory, `${++stores}`), { create: true, noSync: true });

const drivers = {
  'with getSync': { makeDriver: () => new FaultyStorage(new MemoryDriver()), share: 1 },
  // Its calls are the same in another guise: a share of them, another one every time.
  'without getSync': { makeDriver: () => new FaultyStorage(new AsynchronousDriver()), share: 0.25 },
  'over LMDB': { makeDriver: () => new FaultyStorage(lmdb()), share: 0.05 },
  'behind a journal': { makeDriver: () => new FaultyStorage(new MemoryDriver(), 'journal'), share: 0.08 },
  'behind blob files': { makeDriver: () => new FaultyStorage(new MemoryDriver(), 'blobs'), share: 0.04 },
};

const unhandled: unknown[] = [];
const collect = (reason: unknown): number => unhandled.push(reason);

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

/** Runs the scenario with a fault; answers whether it was hit. */
async function runWith(makeDriver: () => Faulty, fault: FaultAt, name: string): Promise<boolean> {
  const driver = makeDriver();
  const life = new Life(driver.driver);
  driver.setFault(fault);
  let seen = NOTHING;
  let hit = false;
  const open: Step = { name: 'open', run: () => life.open(), expect: (before) => before };
  for (const step of [open, ...STEPS]) {
    const after = step.expect(seen);
    const when = `${name} in "${step.name}"`;
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
      expect(failure, `${when}: ${String(failure)}`).toBeInstanceOf(QuadrilleError);
    }
    if (!firedNow) {
      seen = after;
      continue;
    }
    hit = true;
    driver.setFault();
    const allowed = failure === undefined ? [after] : [seen, after, ...(step.partly?.(seen) ?? [])];
    seen = await recover(life, allowed, when);
    break;
  }
  await life.store?.close().catch(() => undefined);
  expect(driver.openIterators, `${name}: iterators left open`).toBe(0);
  return hit;
}

// `allowed`: what may be there now.
async function recover(life: Life, allowed: readonly Seen[], when: string): Promise<Seen> {
  let now = allowed;
  if (life.store !== undefined && life.store.engine.state !== 'closed') {
    // The next write makes it whole; what failed may have been done.
    if (allowed.every((seen) => seen.states !== undefined)) now = [await writeOn(life, allowed, when)];
    await verified(life, `${when}, before reopening`);
    await life.store.close();
  }
  await life.open();
  const seen = settle(await look(life), now, `${when}, reopened`);
  await verified(life, `${when}, reopened`);
  expect(await strayRepositories(life), `${when}: keys of a repository that is gone`).toEqual([]);
  await life.store.repository(NAME, true);
  await perform(await life.repository(), { kind: 'change', added: ['<a:z> <a:p> "more" .'], removed: [] });
  await verified(life, `${when}, written again`);
  return seen;
}

async function writeOn(life: Life, allowed: readonly Seen[], when: string): Promise<Seen> {
  const line = '<a:probe> <a:p> "after the fault" .';
  const write = async (): Promise<unknown> =>
    perform(await life.repository(), { kind: 'change', added: [line], removed: [] });
  // Work in the background can meet the failure only now: then this write fails too, and the next one does not.
  const refused = await write().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refused !== undefined) {
    expect(refused, when).toBeInstanceOf(QuadrilleError);
    await life.settle();
    await write();
  }
  const now = await look(life);
  settle({ ...now, states: now.states!.slice(0, -1) }, allowed, `${when}, next write`);
  expect(now.states!.at(-1)!.has(line), `${when}: the next write is lost`).toBe(true);
  return now;
}

async function verified(life: Life, when: string): Promise<void> {
  await life.settle();
  const report = await life.store.verify();
  expect(report.problems, when).toEqual([]);
}

/** How often each kind of call is made by the scenario. */
async function countCalls(makeDriver: () => Faulty): Promise<Readonly<Record<Operation, number>>> {
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

const FAULTS: { effect: FaultEffect; repeat: 'once' | 'forever'; calls: readonly Operation[]; every: boolean }[] = [
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

describe(`faults of the storage (QUADRILLE_SEED=${SEED})`, () => {
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'quadrille-faults-'));
    process.on('unhandledRejection', collect);
  });
  afterAll(() => {
    process.off('unhandledRejection', collect);
    rmSync(directory, { recursive: true });
  });

  for (const [kind, { makeDriver, share }] of Object.entries(drivers)) {
    it(
      `a driver ${kind}`,
      async () => {
        const random = seededRandom(SEED);
        const calls = await countCalls(makeDriver);
        let injected = 0;
        const sites = new Set<string>();
        const failures: string[] = [];
        for (const { effect, repeat, calls: operations, every } of FAULTS) {
          for (const operation of operations) {
            for (let at = 1; at <= calls[operation]; at++) {
              if (!ALL && random() > (every ? share * SHARE : SAMPLE)) continue;
              const name = `${effect} ${repeat} at ${operation} ${at} of ${calls[operation]}`;
              try {
                if (await runWith(makeDriver, { effect, repeat, at, operation }, name)) sites.add(`${operation} ${at}`);
                injected++;
              } catch (error) {
                failures.push(`${name}: ${(error as Error).stack?.slice(0, 1500)}`);
              }
            }
          }
        }
        const total = [...CALLS, ...FILE_CALLS].reduce((sum, operation) => sum + calls[operation], 0);
        console.log(`${kind}: ${injected} faults, ${sites.size} of ${total} calls hit: ${JSON.stringify(calls)}`);
        expect(failures.slice(0, 5), `${failures.length} of ${injected + failures.length} faults`).toEqual([]);
        if (ALL) expect(sites.size).toBe(total);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(unhandled, 'unhandled rejections').toEqual([]);
      },
      ALL ? 3_600_000 : 120_000,
    );
  }
});
