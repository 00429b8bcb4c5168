/** A simulation as a whole: its chance, its time, its disk, the servers over it, and what their callers were told. */
import { Store, type Env, type Repository, type StoreOptions } from '@quadrille/core';
import { QuadrilleError, yieldTurn } from '@quadrille/model';
import { StorageEngine, type StorageDriver } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { check } from '../model/check.js';
import { below, pick, type Random } from '../model/operations.mjs';
import { Disk, type Role } from './disk.js';
import type { Kept } from './elsewhere.js';
import { guard } from './guard.js';
import { Guest } from './guest.js';
import { HeldCalls, Life } from './held-calls.js';
import { Ledger, Registers } from './ledger.js';
import { MemoryBackup } from './memory-backup.js';
import type { Plan } from './plan.js';
import { SimulatedTime } from './simulated-time.js';

export const NAMES = ['a/x', 'a/y'] as const;

/** One process that has the store open. */
export interface Server {
  readonly life: Life;
  readonly role: Role;
  readonly store: Store;
  readonly storage: StorageDriver;
}

/** Something that was begun and has not ended. */
interface Task {
  readonly name: string;
  readonly life: Life;
  /** Called once: when it has ended, or when its process has died. */
  readonly ended: (() => void) | undefined;
}

/** Codes of errors that only a failure of the storage explains. */
const STORAGE = new Set(['STORAGE_IO', 'STORAGE_FULL', 'STORE_UNAVAILABLE', 'COMMIT_UNKNOWN']);
/** Codes of errors of which only whoever writes may hear. */
const OF_WRITES = new Set(['STORAGE_FULL', 'COMMIT_UNKNOWN']);
/** Codes of errors that a server explains that was closed, or is not the one that writes any more. */
const ENDED = new Set(['STORE_NOT_OPEN', 'LEASE_LOST', 'READ_ONLY']);
/** Codes of errors that say that a caller was too late, or asked for what is not there. */
const LATE = new Set([
  'REVISION_CONFLICT',
  'MERGE_CONFLICT',
  'ALREADY_EXISTS',
  'BRANCH_NOT_FOUND',
  'REVISION_NOT_FOUND',
  'REVISION_TRIMMED',
  'REPOSITORY_NOT_FOUND',
  'REPOSITORY_DELETED',
  'NOTHING_TO_ERASE',
  'SNAPSHOT_EXPIRED',
  // A trim waits for those who write.
  'REPOSITORY_BUSY',
]);
/** Codes of errors of changes that the shapes of a repository refuse. The guard is compared with a model. */
const GUARDED = new Set(['SHAPES_VIOLATED', 'SHAPES_INVALID']);

export class World {
  readonly random: Random;
  readonly time: SimulatedTime;
  readonly calls: HeldCalls;
  readonly disk: Disk;
  readonly ledger = new Ledger(NAMES);
  readonly backup = new MemoryBackup();
  isBackingUp = false;
  /** Followers that look for news. */
  readonly refreshing = new Set<Life>();
  /** The repository and branch that the callers of a burst work on. */
  focus: { readonly name: string; readonly branch: string | undefined } | undefined;
  /** Copies of repositories so far. */
  copies = 0;
  /** Subjects so far that one commit has for itself. */
  marks = 0;
  /** Clones that stay until they are moved. */
  readonly kept: Kept[] = [];
  /** Where they are moved to. */
  elsewhere: Promise<Store> | undefined;
  readonly env: Env;
  readonly registers = new Registers();
  /** Changes that shapes have let through, and those that they have refused. */
  readonly guarded = { taken: 0, refused: 0 };
  /** The server whose changes count, unless another one has taken over. */
  writer: Server | undefined;
  /** Former writers, which may not know it, and followers. */
  others: Server[] = [];
  /** Whether a server was closed, or another one has taken over. */
  replaced = false;
  /** Whether calls may have failed. */
  failed = false;
  readonly #tasks = new Map<number, Task>();
  #begun = 0;
  #lives = 0;
  #guest: Guest | undefined;
  /** What is wrong with the product. */
  fault: Error | undefined;
  /** What was done, to be printed where something is wrong. */
  readonly journal: string[] = [];

  constructor(
    readonly plan: Plan,
    seed: number,
  ) {
    this.random = seededRandom(seed);
    this.time = new SimulatedTime(this.random);
    this.calls = new HeldCalls(this.time, this.random);
    this.env = this.#env();
    this.disk = new Disk(plan.disk, this.calls, () => this.time.uuid());
  }

  say(line: string): void {
    this.journal.push(`${this.time.now.toFixed(2)} ${line}`);
  }

  // ── Servers ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens the store in a new process. */
  async open(role: Role = 'writer'): Promise<Server> {
    const life = new Life(`${role[0]}${++this.#lives}`);
    const storage = this.disk.storage(life, role);
    const engine = await StorageEngine.open(storage);
    try {
      return { life, role, storage, store: await Store.open(engine, this.#storeOptions()) };
    } catch (error) {
      await engine.close().catch(() => undefined);
      throw error;
    }
  }

  /** Opens the store for writing. It goes on trying while the storage fails, so nothing else is done meanwhile. */
  async start(): Promise<void> {
    this.writer = await this.#opened('writer');
  }

  /** Opens a shared store as a follower. */
  async join(): Promise<void> {
    this.others.push(await this.#opened('follower'));
  }

  async #opened(role: Role): Promise<Server> {
    for (let attempt = 1; ; attempt++) {
      try {
        const server = await this.now(this.open(role));
        this.say(`opened ${server.life.name}`);
        return server;
      } catch (error) {
        this.say(`opening fails: ${String((error as { code?: unknown }).code ?? error)}`);
        this.#judge(`open as ${role}`, error);
        if (this.fault !== undefined) throw this.fault;
        if (attempt > 20) throw error;
      }
    }
  }

  /** Closes the store of a server in order. */
  async end(server: Server): Promise<void> {
    if (this.#guest !== undefined) await this.now(this.#guest.drain(server));
    this.say(`close ${server.life.name}`);
    let failure: unknown;
    await this.now(server.store.close().catch((error: unknown) => void (failure = error)));
    if (failure !== undefined) this.#judge(`close ${server.life.name}`, failure);
    server.life.die();
  }

  /** The process ends at once. What it has begun is never answered. */
  kill({ life }: Server): void {
    this.say(`kill ${life.name}`);
    life.die();
    for (const [number, task] of this.#tasks) {
      if (task.life !== life) continue;
      this.#tasks.delete(number);
      task.ended?.();
    }
    if (this.plan.disk.form === 'shared') return;
    this.registers.forget();
    void this.disk.journal.close();
    void this.disk.blobs.close();
  }

  #storeOptions(): StoreOptions {
    const { tuning, cacheBytes, repositoryBytes } = this.plan;
    return { env: this.env, tuning, cacheBytes, repositoryBytes };
  }

  #env(): Env {
    const { random, time } = this;
    return {
      now: () => Date.now(),
      ticks: () => time.now + (random() < 0.05 ? 20 : 0),
      random: (bytes) => {
        for (let i = 0; i < bytes.length; i++) bytes[i] = below(random, 256);
        return bytes;
      },
      yieldTurn: () => (random() < 0.5 ? Promise.resolve() : yieldTurn()),
    };
  }

  /** A repository, on a branch, of a server. */
  async repository(server: Server, name: string, branch = 'main'): Promise<Repository> {
    const repository = await server.store.repository(name);
    if (this.plan.shapes !== undefined) guard(this, repository);
    return branch === 'main' ? repository : (await repository.lines()).branch(branch);
  }

  /** A process that shares the store of the writer. Shared stores have no guests, and the model of shapes looks at single calls. */
  get guest(): Guest | undefined {
    const { disk, shapes } = this.plan;
    if (disk.form === 'shared' || shapes !== undefined) return undefined;
    return (this.#guest ??= new Guest(this));
  }

  // ── Tasks ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Number of tasks that have not ended. */
  get running(): number {
    return this.#tasks.size;
  }

  get unfinished(): string {
    return Array.from(this.#tasks.values(), ({ name }) => name).join(', ');
  }

  /** Begins to read something. Whoever reads never hears of the writes of others. */
  beginRead(name: string, server: Server, work: () => Promise<void>, ended?: () => void): void {
    const read = async (): Promise<void> => {
      try {
        await work();
      } catch (error) {
        const { code = '', message } = error as { readonly code?: string; readonly message: string };
        // A storage that needs room to open again cannot be read before it has it.
        const ofReopening = /was reopened|could not be reopened|were exchanged/.test(message);
        const ofWrite = OF_WRITES.has(code) || (this.plan.onlyWritesFail && STORAGE.has(code));
        check(server.life.dead || !ofWrite || ofReopening, () => `a read ends with ${code} ${message}`);
        throw error;
      }
    };
    this.begin(name, server, read, ended);
  }

  /** Begins something. Its errors are judged, unless its process has died. */
  begin(name: string, { life }: Server | { life: Life }, work: () => Promise<void>, ended?: () => void): void {
    const number = ++this.#begun;
    const label = `${number} ${life.name} ${name}`;
    this.say(`begin ${label}`);
    this.#tasks.set(number, { name: label, life, ended });
    const end = (told: string): void => {
      if (!this.#tasks.delete(number)) return;
      this.say(`end ${label}${told}`);
      ended?.();
    };
    (async () => work())().then(
      () => end(''),
      (error: unknown) => {
        if (!life.dead) this.#judge(label, error);
        end(`: ${String((error as { code?: unknown }).code ?? error)}`);
      },
    );
  }

  #judge(label: string, error: unknown): void {
    const { code, message } = error instanceof QuadrilleError ? error : { code: '', message: '' };
    // Only whoever has made a revision is to find out what became of it, and hears which one.
    const hasMade = / c\d+ /.test(label) ? /^The store did not say whether revision/ : /^The store did not say/;
    const isOthers = code === 'COMMIT_UNKNOWN' && !hasMade.test(message);
    if (isOthers || (!LATE.has(code) && !this.excuses(code) && !this.#isEndOfReading(error)))
      this.fault ??= new Error(`${label}: ${code} ${(error as Error).message}`, { cause: error });
  }

  /** Whether an erasure has ended what was being read: a snapshot, or a range when the files were exchanged. */
  #isEndOfReading(error: unknown): boolean {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    const isEnd = code === 'SNAPSHOT_CLOSED' || (code === 'STORAGE_IO' && message.includes('were exchanged'));
    return isEnd && [...this.ledger.books.values()].some(({ erasing, hasErased }) => hasErased || erasing.size > 0);
  }

  /** Whether an error is due to what the simulation has done to the store. */
  excuses(code: string): boolean {
    if (ENDED.has(code)) return this.replaced;
    if (GUARDED.has(code)) return this.plan.shapes !== undefined;
    return STORAGE.has(code) && (this.failed || this.calls.failed > 0);
  }

  /**
   * Lets so many events happen, or fewer if nothing is left to do. It ends where a caller hears of a fault, and now and then where one is half
   * done: what is begun then meets the others in the middle of their work. Returns whether a caller has heard of a fault.
   */
  async pass(events: number): Promise<boolean> {
    let left = events;
    const { told } = this.calls;
    const untilHalfDone = this.chance(0.5);
    const over = await this.time.passUntil(
      () =>
        this.fault !== undefined ||
        this.#tasks.size === 0 ||
        left-- <= 0 ||
        this.calls.told > told ||
        (untilHalfDone && this.calls.halfDone > 0 && this.chance(0.3)),
    );
    check(over, () => `never ends: ${this.unfinished}`);
    return this.calls.told > told;
  }

  /** Waits until all that was begun has ended. @throws Error if it never does */
  async settle(): Promise<void> {
    const over = await this.time.passUntil(() => this.#tasks.size === 0 || this.fault !== undefined);
    check(over, () => `never ends: ${this.unfinished}`);
    if (this.fault !== undefined) throw this.fault;
  }

  /** Waits for work of the simulation itself. */
  async now<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const end = (): void => void (over = true);
    work.then(end, end);
    check(await this.time.passUntil(() => over), () => `never ends, beside: ${this.unfinished}`);
    return work;
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(list: readonly T[]): T {
    return pick(this.random, list);
  }
}
