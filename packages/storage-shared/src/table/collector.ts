/** Keeps a log short: writes checkpoints, deletes the entries that they cover, and the packs that nobody needs. */

import { StorageError } from '@quadrille/model';
import type { BackgroundFailures, Bytes, PurgePauses } from '@quadrille/storage';
import { MAX_PACK_BYTES, type Pack } from '../contract.js';
import type { LogReader } from '../log/log-reader.js';
import { replaceCheckpoint, replaceRoot } from '../log/replace-root.js';
import type { Checkpoint } from '../log/root-record.js';
import { writeCheckpoint } from './checkpoint.js';
import { encodeMove, gatherable, type Found } from './gather.js';
import type { CallsUnderWay } from './calls-under-way.js';
import { joined, type SharedTable } from './shared-table.js';
import { isSame, isValue } from './slot.js';
import type { SliceReader } from './slice-reader.js';

export interface CollectorOptions {
  /** Entries after which a checkpoint is written. Default 1,000. */
  readonly checkpointEntries?: number;
  /** Bytes of entries after which a checkpoint is written; half of the last checkpoint if that is more. Default 4 MiB. */
  readonly checkpointBytes?: number;
  /** How many small values of neighbouring keys, the last ones, are not gathered in packs. Default 256. */
  readonly keptInline?: number;
  /** How long a pack without use is kept for readers of older states, in milliseconds. Default one hour. */
  readonly graceMs?: number;
  /** A new UUID. Default: `crypto.randomUUID`. */
  readonly newId?: () => string;
}

/** The storage whose log a collector keeps short. */
export interface Writing {
  /** Rejects if another process writes to the log. */
  assertHeld(): Promise<void>;
  /** Appends an entry while no other one is appended. Its body is made then; without one, nothing is appended. */
  append(body: () => Bytes | undefined): Promise<void>;
  /** Finds out what became of an entry. */
  resume(): Promise<void>;
}

/** What was deleted. */
export interface Collected {
  /** Number of packs. */
  readonly packs: number;
  /** Their bytes. */
  readonly bytes: number;
}

const HOUR_MS = 3_600_000;
/** Names of the work, for monitoring. */
const COLLECTION = 'collection of the shared log';
const GATHERING = 'gathering of small values of the shared log';

export class Collector {
  readonly #reader: LogReader;
  readonly #table: SharedTable;
  readonly #calls: CallsUnderWay;
  readonly #writing: Writing;
  readonly #slices: SliceReader;
  readonly #options: Required<CollectorOptions>;
  readonly #failures: BackgroundFailures;
  /** Since when each pack without use is known to be that, by `performance.now()`. */
  #unused = new Map<string, number>();
  #entries = 0;
  #bytes = 0;
  #lastBytes = 0;
  #ending = false;
  #isPurging = false;
  #running: Promise<void> | undefined;

  constructor(
    reader: LogReader,
    table: SharedTable,
    calls: CallsUnderWay,
    slices: SliceReader,
    writing: Writing,
    options: CollectorOptions,
    failures: BackgroundFailures,
  ) {
    this.#failures = failures;
    const newId = (): string => crypto.randomUUID();
    this.#reader = reader;
    this.#table = table;
    this.#calls = calls;
    this.#writing = writing;
    this.#slices = slices;
    const defaults = {
      checkpointEntries: 1000,
      checkpointBytes: 4 * 1024 * 1024,
      keptInline: 256,
      graceMs: HOUR_MS,
      newId,
    };
    this.#options = { ...defaults, ...options };
  }

  /** Notes that an entry was appended. Begins to collect if it is time. */
  written(bytes: number): void {
    this.#entries++;
    this.#bytes += bytes;
    const { checkpointEntries, checkpointBytes } = this.#options;
    if (this.#entries < checkpointEntries && this.#bytes < Math.max(checkpointBytes, this.#lastBytes / 2)) return;
    // A failure leaves the log as it is: the next checkpoint covers more. It is counted.
    this.collect().catch(() => undefined);
  }

  /**
   * Deletes packs that nobody needs and that are at least so old by the clock of the store. Readers of older states may
   * still need them: such a reader gets `SNAPSHOT_EXPIRED`. Only the process that writes may call it.
   */
  async collectOlder(ageSeconds: number): Promise<Collected> {
    await this.end();
    await this.collect();
    const { driver, log, root } = this.#reader;
    const kept = new Set(root.checkpoint?.packs.map(({ pack }) => pack));
    const listed = await driver.listPacks(log);
    await this.#writing.assertHeld();
    const dead = listed.filter(
      ({ id, ageSeconds: age }) =>
        age >= ageSeconds && !this.#table.packs.has(id) && !kept.has(id) && !this.#table.bodies.has(id),
    );
    if (dead.length > 0)
      await driver.deletePacks(
        log,
        dead.map(({ id }) => id),
      );
    for (const { id } of dead) this.#unused.delete(id);
    return { packs: dead.length, bytes: dead.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Writes a checkpoint of the present state, and deletes what it makes superfluous. */
  collect(): Promise<void> {
    // A purge does the same, and waits for the reads under way: the caller may be one of them.
    if (this.#isPurging) return Promise.resolve();
    this.#running ??= this.#counted().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * The same without grace: deletes also what readers of earlier states and followers that lag behind may need. Returns the bytes
   * of the checkpoint. Reads of earlier states of this process end before.
   */
  async purge(pauses: PurgePauses): Promise<number> {
    await this.end();
    this.#isPurging = true;
    const purged = this.#purge(pauses);
    this.#running = purged
      .then(() => undefined)
      .finally(() => {
        this.#running = undefined;
        this.#isPurging = false;
      });
    this.#running.catch(() => undefined);
    return purged;
  }

  async #purge({ alone }: PurgePauses): Promise<number> {
    const { driver, log, position, id, epoch } = this.#reader;
    if (id === undefined) return 0;
    const checkpoint = { position, id, epoch, packs: await this.#store() };
    await replaceCheckpoint(this.#reader, checkpoint);
    await driver.trim(log, position);
    const listed = await driver.listPacks(log);
    // Whoever takes over from now on stores other packs than those of the list.
    await this.#writing.assertHeld();
    let dead: string[] = [];
    await alone(async () => {
      const kept = new Set(this.#reader.root.checkpoint?.packs.map(({ pack }) => pack));
      // No batch is under way whose packs are stored and whose entry is not there yet.
      const isDead = (pack: string): boolean =>
        !this.#table.packs.has(pack) && !kept.has(pack) && (this.#table.bodies.get(pack) ?? 0) <= position;
      dead = listed.map((pack) => pack.id).filter(isDead);
    });
    for (const pack of dead) this.#table.bodies.delete(pack);
    this.#unused.clear();
    if (dead.length > 0) await driver.deletePacks(log, dead);
    // Other servers empty their caches when they see it. From here on nobody can read what they would keep anew.
    const erasure = this.#options.newId();
    while (!(await replaceRoot(this.#reader, { ...this.#reader.root, erasure }))) await this.#writing.assertHeld();
    return checkpoint.packs.reduce((sum, { length }) => sum + length, 0);
  }

  /** Waits until nothing is being collected. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#running?.catch(() => undefined);
    this.#ending = false;
  }

  async #counted(): Promise<void> {
    try {
      await this.#collect();
      this.#failures.succeeded(COLLECTION);
    } catch (error) {
      this.#failures.note(COLLECTION, error);
      throw error;
    }
  }

  async #collect(): Promise<void> {
    this.#entries = 0;
    this.#bytes = 0;
    await this.#gather();
    const { driver, log, position, id, epoch, root } = this.#reader;
    if (id !== undefined && position > (root.checkpoint?.position ?? 0)) {
      const checkpoint = { position, id, epoch, packs: await this.#store() };
      this.#lastBytes = checkpoint.packs.reduce((sum, { length }) => sum + length, 0);
      if (await replaceCheckpoint(this.#reader, checkpoint)) {
        // Who has read up to the checkpoint before goes on by entries.
        if (root.checkpoint !== undefined) await driver.trim(log, root.checkpoint.position);
      }
    }
    await this.#deleteUnused(root.checkpoint);
  }

  /** Moves small values into packs. Where that fails, they stay where they are, and the log is kept short all the same. */
  async #gather(): Promise<void> {
    try {
      const failures: unknown[] = [];
      for await (const found of gatherable(this.#table.snapshot(), this.#options.keptInline)) {
        if (this.#ending) return;
        failures.push(...(await this.#move(found)));
      }
      if (failures.length > 0) throw failures[0];
      this.#failures.succeeded(GATHERING);
    } catch (error) {
      this.#failures.note(GATHERING, error);
      // No caller has asked for that entry, so none would look for it.
      if (error instanceof StorageError && error.code === 'COMMIT_UNKNOWN') await this.#writing.resume();
    }
  }

  /** Moves values into a pack. Reads and writes go on. Returns why some could not be read. */
  async #move(found: readonly Found[]): Promise<unknown[]> {
    const { driver, log } = this.#reader;
    const read = await Promise.allSettled(
      found.map(({ slot }) => (isValue(slot) ? slot : this.#slices.readPlace(slot))),
    );
    const values = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const moved = found.filter((_, i) => read[i]!.status === 'fulfilled');
    if (moved.length > 0) {
      const pack: Pack = { id: this.#options.newId(), bytes: joined(values) };
      await driver.putPacks(log, [pack]);
      const isCurrent = ({ key, slot }: Found): boolean => isSame(this.#table.get(key), slot);
      await this.#writing.append(() => encodeMove(moved, isCurrent, { id: pack.id, length: pack.bytes.length }));
    }
    return read.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  }

  /** Stores the present state in packs. */
  async #store(): Promise<Checkpoint['packs']> {
    const { driver, log } = this.#reader;
    const packs: { pack: string; length: number }[] = [];
    for await (const bytes of writeCheckpoint(this.#table.snapshot(), MAX_PACK_BYTES)) {
      const pack: Pack = { id: this.#options.newId(), bytes };
      await driver.putPacks(log, [pack]);
      packs.push({ pack: pack.id, length: bytes.length });
    }
    return packs;
  }

  async #deleteUnused(before: Checkpoint | undefined): Promise<void> {
    const { driver, log, root } = this.#reader;
    const listed = await driver.listPacks(log);
    // The packs of another writer are not in the table here. They would look unused.
    await this.#writing.assertHeld();
    const kept = new Set([...(before?.packs ?? []), ...(root.checkpoint?.packs ?? [])].map(({ pack }) => pack));
    const now = performance.now();
    const unused = new Map<string, number>();
    const dead: string[] = [];
    for (const { id } of listed) {
      // The body of an entry is read until a checkpoint covers it.
      if (this.#table.packs.has(id) || kept.has(id) || (this.#table.bodies.get(id) ?? 0) > (before?.position ?? 0))
        continue;
      const since = this.#unused.get(id) ?? now;
      // A call that began before may have found the place of a value in it, or has stored it just now.
      if (now - since >= this.#options.graceMs && this.#calls.oldest > since) dead.push(id);
      else unused.set(id, since);
    }
    this.#unused = unused;
    for (const id of dead) this.#table.bodies.delete(id);
    if (dead.length > 0) await driver.deletePacks(log, dead);
  }
}
