/** Counts the calls of a driver, and how long the frequent ones take. */

import type { Bytes, SharedFigures } from '@quadrille/storage';
import type {
  AppendOutcome,
  Change,
  HeardBeats,
  Heartbeat,
  Known,
  NewEntry,
  Pack,
  PackInfo,
  PackSlice,
  ServerBeat,
  SharedDriver,
} from '../contract.js';

/** How often values were looked for in a cache. */
export interface CacheCounts {
  /** Those that were there. */
  hits: number;
  /** Those that were not. */
  misses: number;
}

/** The figures of a process. All its drivers count in the same ones. */
export class StoreFigures {
  /** Entries that were appended, or that another writer has kept from being appended. */
  appends = 0;
  /** How long they took. */
  appendSeconds = 0;
  /** Their bytes. */
  appendBytes = 0;
  /** Questions what is new. */
  checks = 0;
  /** How long they took. */
  checkSeconds = 0;
  /** Values that were looked for near. */
  readonly cache: CacheCounts = { hits: 0, misses: 0 };
  /** Calls of all kinds. */
  roundTrips = 0;
  /** Appends of which the service did not say at once whether they were done. */
  unknownOutcomes = 0;
  /** How often the process has taken the store over. */
  takeOvers = 0;
  /** Bytes of packs that were read. */
  readBytes = 0;
  /** Bytes of packs that were written. */
  writtenBytes = 0;
  /** When the last look began that said what is new, or that nothing is, by `performance.now()`. */
  heardAt = performance.now();

  /** A copy of the figures. */
  read(position: number, cacheBytes: number): SharedFigures {
    const { appends, appendSeconds, appendBytes, checks, checkSeconds, roundTrips, unknownOutcomes } = this;
    const { takeOvers, readBytes, writtenBytes, cache } = this;
    return {
      appends,
      appendSeconds,
      appendBytes,
      checks,
      checkSeconds,
      roundTrips,
      unknownOutcomes,
      takeOvers,
      readBytes,
      writtenBytes,
      cacheHits: cache.hits,
      cacheMisses: cache.misses,
      cacheBytes,
      position,
      lagSeconds: (performance.now() - this.heardAt) / 1000,
    };
  }
}

/** The same driver, whose calls are counted. */
export class MeteredDriver implements SharedDriver {
  constructor(
    private readonly driver: SharedDriver,
    private readonly figures: StoreFigures,
  ) {}

  /** Whether signs of life can look for news. */
  get looks(): boolean {
    return this.driver.heartbeatAndLook !== undefined;
  }

  get name(): string {
    return this.driver.name;
  }

  open(): Promise<void> {
    return this.driver.open();
  }

  close(): Promise<void> {
    return this.driver.close();
  }

  async append(entry: NewEntry): Promise<AppendOutcome> {
    const { figures } = this;
    const begun = performance.now();
    figures.roundTrips++;
    figures.appends++;
    const outcome = await this.driver.append(entry);
    figures.appendSeconds += (performance.now() - begun) / 1000;
    if (outcome === 'unknown') figures.unknownOutcomes++;
    // Whatever is appended, nobody has appended anything before it.
    if (outcome === 'ok') {
      figures.appendBytes += entry.body.length;
      figures.heardAt = Math.max(figures.heardAt, begun);
    }
    return outcome;
  }

  async check(known: readonly Known[]): Promise<readonly Change[]> {
    const { figures } = this;
    const begun = performance.now();
    figures.roundTrips++;
    figures.checks++;
    const changes = await this.driver.check(known);
    figures.checkSeconds += (performance.now() - begun) / 1000;
    figures.heardAt = Math.max(figures.heardAt, begun);
    return changes;
  }

  casRoot(log: number, body: Bytes, version: number): Promise<'ok' | 'conflict' | 'unknown'> {
    this.figures.roundTrips++;
    return this.driver.casRoot(log, body, version);
  }

  putPacks(log: number, packs: readonly Pack[]): Promise<void> {
    this.figures.roundTrips++;
    for (const { bytes } of packs) this.figures.writtenBytes += bytes.length;
    return this.driver.putPacks(log, packs);
  }

  async getPacks(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]> {
    this.figures.roundTrips++;
    const found = await this.driver.getPacks(log, slices);
    for (const bytes of found) this.figures.readBytes += bytes?.length ?? 0;
    return found;
  }

  listPacks(log: number): Promise<readonly PackInfo[]> {
    this.figures.roundTrips++;
    return this.driver.listPacks(log);
  }

  deletePacks(log: number, ids: readonly string[]): Promise<void> {
    this.figures.roundTrips++;
    return this.driver.deletePacks(log, ids);
  }

  trim(log: number, before: number): Promise<void> {
    this.figures.roundTrips++;
    return this.driver.trim(log, before);
  }

  heartbeat(self: Heartbeat): Promise<readonly ServerBeat[]> {
    this.figures.roundTrips++;
    return this.driver.heartbeat(self);
  }

  /** Where the driver cannot look at the same time, there may be news. */
  async heartbeatAndLook(self: Heartbeat, known: Known): Promise<HeardBeats> {
    if (this.driver.heartbeatAndLook === undefined) return { servers: await this.heartbeat(self), news: true };
    const { figures } = this;
    const begun = performance.now();
    figures.roundTrips++;
    const answer = await this.driver.heartbeatAndLook(self, known);
    if (!answer.news) figures.heardAt = Math.max(figures.heardAt, begun);
    return answer;
  }

  servers(): Promise<readonly ServerBeat[]> {
    this.figures.roundTrips++;
    return this.driver.servers();
  }

  forget(server: string): Promise<void> {
    this.figures.roundTrips++;
    return this.driver.forget(server);
  }

  barrier(): Promise<void> {
    this.figures.roundTrips++;
    return this.driver.barrier();
  }
}
