/**
 * The lines of history of a repository that are not `main`: finds their records in the storage, and opens each once.
 * A line is opened when it is first used. Its handle stays, and its timeline is unloaded like that of a
 * repository.
 */
import { CorruptionError } from '@quadrille/model';
import type { StorageEngine } from '@quadrille/storage';
import { readU32, Tag, textKey } from '../format/layout.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RepositoryHandle } from '../open/handle.js';
import { readHead } from '../open/replay.js';
import type { Timeline } from '../timeline/timeline.js';
import { readRecord } from '../revision/log.js';
import { isTagName } from '../timeline/refs.js';
import type { RevisionRecord } from '../revision/record.js';
import { decodeHead } from '../revision/record.js';
import { LineHandle } from './line-handle.js';
import type { BranchRecord, LineRecord } from '../timeline/line-record.js';
import { decodeBranch, decodeLine, MAIN, MAIN_LINE } from '../timeline/line-record.js';
import { branchOf, branchNotFound } from './names.js';

/** The resources that the users of a line hold. */
export interface OpenLine {
  readonly handle: RepositoryHandle;
  /** See `Repository.ready`. */
  ready(): Promise<void> | undefined;
}

interface LineUsers<R> {
  /** Makes what the users of a line hold. */
  make(handle: LineHandle): R;
  /** Lets go of a line that another process has deleted. */
  forget(handle: LineHandle): void;
  /** Unloads a line that is deleted. Returns false if somebody uses it. */
  discard(line: R): boolean;
}

export class Lines<R extends OpenLine> {
  /**
   * It changes with what is known of the ancestors of revisions: a line was let go, whose number may be given again, or a history
   * was imported, which may have second parents of known merges.
   */
  ancestors = 0;
  /** Number of times that a line has taken over revisions of another one. */
  copied = 0;
  readonly #open = new Map<number, Promise<R>>();
  readonly #keyspaces = new Map<number, Promise<Keyspace>>();

  constructor(
    /** The repository, on `main`. */
    readonly root: R,
    private readonly users: LineUsers<R>,
  ) {}

  get handle(): RepositoryHandle {
    return this.root.handle;
  }

  get #keyspace(): Keyspace {
    return this.root.handle.keyspace;
  }

  // ── In the storage ──────────────────────────────────────────────────────────────────────────────────────────────

  /** The records of all branches but `main`, by name and sorted by name. */
  async branches(): Promise<Map<string, BranchRecord>> {
    const found = new Map<string, BranchRecord>();
    const utf8 = new TextDecoder();
    for await (const { rest, value } of this.#keyspace.entries(Tag.branch))
      found.set(utf8.decode(rest), decodeBranch(value));
    return found;
  }

  /** The key of a branch's name. */
  branchKey(name: string): Uint8Array {
    return textKey(this.#keyspace.key(Tag.branch), name);
  }

  async branchRecord(name: string): Promise<BranchRecord | undefined> {
    // No branch can have the name, which may be too long for a key.
    if (!isTagName(name)) return undefined;
    const stored = await this.#keyspace.getKey(this.branchKey(name));
    return stored && decodeBranch(stored);
  }

  /** The number of a branch's line. @throws NotFoundError `BRANCH_NOT_FOUND` */
  async lineOf(name: string): Promise<number> {
    if (name === MAIN) return MAIN_LINE;
    const record = typeof name === 'string' ? await this.branchRecord(name) : undefined;
    if (record === undefined) throw branchNotFound(this.#keyspace.name, name);
    return record.line;
  }

  /** Name of the branch of a line; `undefined` if it has none. */
  nameOf(line: number): Promise<string | undefined> {
    return branchOf(this.#keyspace, line);
  }

  /** The numbers of all lines but `main`, ascending: a line comes after the one on which it begins. */
  async numbers(): Promise<number[]> {
    const found: number[] = [];
    for await (const { rest } of this.#keyspace.entries(Tag.line)) found.push(readU32(rest, 0));
    return found;
  }

  /** The greatest number of a line. */
  async newest(): Promise<number> {
    const keyspace = this.#keyspace;
    const last = { ...keyspace.tagRange(Tag.line), reverse: true, limit: 1 };
    for await (const chunk of keyspace.range(last, { read: 'keys' }))
      for (const { key } of chunk) return keyspace.numberIn(key);
    return MAIN_LINE;
  }

  /** @throws CorruptionError `INDEX_DISAGREES` if there is no such line */
  async record(line: number): Promise<LineRecord> {
    const stored = await this.#keyspace.get(Tag.line, line);
    if (stored === undefined) throw this.#keyspace.missing(`the record of line ${line}`);
    const record = decodeLine(stored);
    // The number of a line is greater than that of its base. So no line begins on itself.
    if (record.base < line) return record;
    throw new CorruptionError(
      'INDEX_DISAGREES',
      `repository ${this.#keyspace.name}: line ${line} begins on line ${record.base}, which is newer`,
    );
  }

  /** The keyspace of a line. */
  keyspace(line: number): Promise<Keyspace> {
    if (line === MAIN_LINE) return Promise.resolve(this.#keyspace);
    let keyspace = this.#keyspaces.get(line);
    if (keyspace === undefined) {
      keyspace = this.#makeKeyspace(line);
      this.#keyspaces.set(line, keyspace);
      keyspace.catch(() => this.#keyspaces.delete(line));
    }
    return keyspace;
  }

  async #makeKeyspace(line: number): Promise<Keyspace> {
    const { base, fork } = await this.record(line);
    return new LineKeyspace(this.#keyspace, await this.keyspace(base), line, fork);
  }

  /** The newest durable revision of a line. */
  async head(line: number): Promise<RevisionRecord> {
    if (line === MAIN_LINE && this.handle.inMemory) return this.handle.head;
    const keyspace = await this.keyspace(line);
    const stored = await keyspace.get(Tag.head);
    if (stored === undefined) throw keyspace.missing(`the head of line ${line}`);
    return readRecord(keyspace, decodeHead(stored).number);
  }

  // ── Open ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Opens a line, and loads it into memory. */
  async at(line: number): Promise<R> {
    const found = await this.#find(line);
    await found.ready();
    return found;
  }

  /** A branch. @throws NotFoundError `BRANCH_NOT_FOUND` */
  async branch(name: string): Promise<R> {
    return this.at(await this.lineOf(name));
  }

  /** Loads a line into memory, also that of a deleted branch. The caller leaves it as a user. */
  async hold(line: number): Promise<RepositoryHandle> {
    const { handle } = await this.#find(line);
    handle.users.enter();
    try {
      await handle.load();
      return handle;
    } catch (error) {
      handle.users.leave();
      throw error;
    }
  }

  /** Lets go of a line that is deleted. Returns false if somebody uses it. */
  async forget(line: number): Promise<boolean> {
    const opened = await this.opened(line);
    if (opened !== undefined && !this.users.discard(opened)) return false;
    this.#open.delete(line);
    this.#keyspaces.delete(line);
    this.ancestors++;
    return true;
  }

  /** The handle of a line, if it was opened. */
  async opened(line: number): Promise<R | undefined> {
    return this.#open.get(line)?.catch(() => undefined);
  }

  #openLine(line: number): Promise<R> {
    return this.#keyspace.engine.shown.opening(() => this.#openNow(line));
  }

  async #openNow(line: number): Promise<R> {
    const { base } = await this.record(line);
    const below = await this.#find(base);
    return this.users.make(
      await LineHandle.openOn((await this.keyspace(line)) as LineKeyspace, below.handle, await this.nameOf(line)),
    );
  }

  // ── What other processes write ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Reads the opened lines from a state that another process has written, on a timeline of `main`. Returns the step
   * that shows them.
   */
  async follow(view: StorageEngine, main: Timeline): Promise<() => void> {
    const root = this.#keyspace.on(view);
    const timelines = new Map<RepositoryHandle, Timeline>([[this.handle, main]]);
    const names = new Map<number, string>();
    for await (const { rest, value } of root.entries(Tag.branch))
      names.set(decodeBranch(value).line, new TextDecoder().decode(rest));
    const steps: (() => void)[] = [];
    for (const line of [...this.#open.keys()].sort((a, b) => a - b)) {
      const handle = (await this.opened(line))?.handle;
      if (!(handle instanceof LineHandle)) continue;
      const name = names.get(line);
      const base = timelines.get(handle.base);
      const stored = await root.get(Tag.line, line);
      if (stored === undefined || decodeLine(stored).fork !== handle.keyspace.fork) {
        steps.push(() => this.#vanished(line, handle));
      } else if (handle.inMemory && base !== undefined) {
        const timeline = await handle.readOn(view, base);
        timelines.set(handle, timeline);
        steps.push(() => {
          handle.rename(name);
          handle.replace(timeline);
        });
      } else {
        const head = await readHead(handle.keyspace.on(view));
        steps.push(() => {
          handle.rename(name);
          handle.moveHead(head);
        });
      }
    }
    return () => {
      this.ancestors++;
      this.copied++;
      for (const line of this.#keyspaces.keys()) if (!this.#open.has(line)) this.#keyspaces.delete(line);
      for (const step of steps) step();
    };
  }

  // Its readers go on. Another line may get its number.
  #vanished(line: number, handle: LineHandle): void {
    handle.rename(undefined);
    this.#open.delete(line);
    this.#keyspaces.delete(line);
    this.users.forget(handle);
  }

  // The base of a line may be that of a deleted branch, which nobody else may use.
  #find(line: number): Promise<R> {
    if (line === MAIN_LINE) return Promise.resolve(this.root);
    let open = this.#open.get(line);
    if (open === undefined) {
      open = this.#openLine(line);
      this.#open.set(line, open);
      open.catch(() => this.#open.delete(line));
    }
    return open;
  }
}
