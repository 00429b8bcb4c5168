/** A shared store in memory: for tests, and as the shortest description of what a driver does. */

import type { Bytes } from '@quadrille/storage';
import type {
  AppendOutcome,
  Change,
  Heartbeat,
  Known,
  LogEntry,
  NewEntry,
  Pack,
  PackInfo,
  PackSlice,
  Root,
  ServerBeat,
  SharedDriver,
} from './contract.js';

/** Number of entries in an answer of `check`. */
const CHECK_ENTRIES = 256;

interface Log {
  entries: LogEntry[];
  root: Root | undefined;
  readonly packs: Map<string, { readonly bytes: Bytes; readonly since: number }>;
}

/** What drivers in memory share, as several servers share one database. */
export class SharedMemory {
  /** The logs by number. */
  readonly logs = new Map<number, Log>();
  /** The servers by id. */
  readonly servers = new Map<string, ServerBeat>();

  /** The log of a number. It is empty if nothing was stored. */
  log(number: number): Log {
    let log = this.logs.get(number);
    if (log === undefined) this.logs.set(number, (log = { entries: [], root: undefined, packs: new Map() }));
    return log;
  }
}

/** A driver over a {@link SharedMemory}. */
export class SharedMemoryDriver implements SharedDriver {
  readonly name = 'shared memory';

  constructor(
    /** What it stores in. */
    readonly memory: SharedMemory = new SharedMemory(),
  ) {}

  /** Does nothing. */
  async open(): Promise<void> {}

  /** Does nothing. */
  async close(): Promise<void> {}

  async append({ log, previous, ...entry }: NewEntry): Promise<AppendOutcome> {
    const { entries } = this.memory.log(log);
    const first = entries[0]?.position ?? 1;
    const at = entry.position - first;
    if (at < 0) return 'gone';
    const there = entries[at];
    if (there !== undefined) return there.id === entry.id ? 'ok' : 'taken';
    if (at > entries.length) return 'gone';
    if (entries[at - 1]?.id !== previous) return 'taken';
    entries.push({ ...entry, body: new Uint8Array(entry.body) });
    return 'ok';
  }

  async check(known: readonly Known[]): Promise<readonly Change[]> {
    const changes: Change[] = [];
    for (const { log, after, id, rootVersion } of known) {
      const { entries, root } = this.memory.log(log);
      const first = entries[0]?.position ?? 1;
      const from = Math.max(0, after + 1 - first);
      const found = entries.slice(from, from + CHECK_ENTRIES);
      const newRoot = root?.version === rootVersion ? undefined : root;
      const lost = id !== undefined && after >= first && entries[after - first]?.id !== id;
      if (found.length === 0 && newRoot === undefined && !lost) continue;
      changes.push({ log, entries: found, more: from + found.length < entries.length, root: newRoot, lost });
    }
    return changes;
  }

  async casRoot(log: number, body: Bytes, version: number): Promise<'ok' | 'conflict'> {
    const held = this.memory.log(log);
    if ((held.root?.version ?? 0) !== version) return 'conflict';
    held.root = { version: version + 1, body: new Uint8Array(body) };
    return 'ok';
  }

  async putPacks(log: number, packs: readonly Pack[]): Promise<void> {
    const held = this.memory.log(log).packs;
    for (const { id, bytes } of packs) {
      if (!held.has(id)) held.set(id, { bytes: new Uint8Array(bytes), since: performance.now() });
    }
  }

  async getPacks(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]> {
    const held = this.memory.log(log).packs;
    return slices.map(({ pack, from, length }) => held.get(pack)?.bytes.subarray(from, from + length));
  }

  async listPacks(log: number): Promise<readonly PackInfo[]> {
    const now = performance.now();
    return [...this.memory.log(log).packs].map(([id, { bytes, since }]) => ({
      id,
      bytes: bytes.length,
      ageSeconds: (now - since) / 1000,
    }));
  }

  async deletePacks(log: number, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.memory.log(log).packs.delete(id);
  }

  async trim(log: number, before: number): Promise<void> {
    const held = this.memory.log(log);
    held.entries = held.entries.filter(({ position }, i, { length }) => position >= before || i === length - 1);
  }

  async heartbeat({ server, body }: Heartbeat): Promise<readonly ServerBeat[]> {
    const beats = (this.memory.servers.get(server)?.beats ?? 0) + 1;
    this.memory.servers.set(server, { server, body: new Uint8Array(body), beats });
    return this.servers();
  }

  async servers(): Promise<readonly ServerBeat[]> {
    return [...this.memory.servers.values()];
  }

  async forget(server: string): Promise<void> {
    this.memory.servers.delete(server);
  }

  /** Does nothing: memory has no second server. */
  async barrier(): Promise<void> {}
}
