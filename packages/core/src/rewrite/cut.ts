/**
 * Lets the histories of a repository end earlier: the log ends with the last revision that stays, and the indexes are made again from it.
 * Nothing else has the repository open, and nobody sees it before the cut is done: see restores and forks.
 */
import { NotFoundError } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { clipCopies } from '../branch/copied-revisions.js';
import { withLines } from '../branch/held-lines.js';
import type { OpenLine } from '../branch/lines.js';
import { Lines } from '../branch/lines.js';
import { lineNumber, locateElsewhere } from '../branch/locate.js';
import { Catalogue, repositoryKey } from '../catalogue/catalogue.js';
import { afterPrefix, dataKey, Tag } from '../format/layout.js';
import { firstFreeRun } from '../index/run/run-session.js';
import { rebuildClosed, rebuildIndexes } from '../integrity/rebuild.js';
import { BlockCache } from '../keyspace/block-cache.js';
import { Keyspace } from '../keyspace/keyspace.js';
import { LineKeyspace, revisionIdKey } from '../keyspace/line-keyspace.js';
import { RepositoryHandle } from '../open/handle.js';
import { readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { decodeHead, encodeHead } from '../revision/record.js';
import { compareUuids } from '../revision/uuid.js';
import type { Env } from '../runtime/env.js';
import type { LineRecord } from '../timeline/line-record.js';
import { decodeBranch, decodePositions, MAIN_LINE } from '../timeline/line-record.js';
import { encodeManifest } from '../timeline/manifest.js';
import type { Ref } from '../timeline/refs.js';
import { mayBeElsewhere, notInHistory, resolveRef, timesOf } from '../timeline/refs.js';

const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Sets `main` back to a revision, and deletes the lines that begin after the end of their base. With a time each line ends with its
 * last revision at or before it; otherwise the others stay as they are. Returns false if the repository did not exist at the time:
 * then it is deleted.
 * @throws NotFoundError `REVISION_NOT_FOUND`; InvalidArgumentError `INVALID_REF`
 */
export function cutRepository(
  engine: StorageEngine,
  { id, name }: { readonly id: number; readonly name: string },
  env: Env,
  to: Ref,
): Promise<boolean> {
  return new Cut(engine, id, name, env).to(to);
}

class Cut {
  readonly #cache = new BlockCache(CACHE_BYTES);

  constructor(
    private readonly engine: StorageEngine,
    private readonly id: number,
    private readonly name: string,
    private readonly env: Env,
  ) {}

  async to(ref: Ref): Promise<boolean> {
    const found = await this.#opened((handle) => this.#find(handle, ref));
    if (found === undefined) {
      await this.#delete();
      return false;
    }
    const { last, head } = found;
    if (last.number < head) {
      const keyspace = this.#keyspace();
      await keyspace.write(endOps(keyspace, last));
      await rebuildClosed(keyspace, this.env);
    }
    await this.#opened(async (handle) => {
      await new LinesCut(handle, timesOf(ref)?.last).run();
      await handle.keyspace.write(await lostTags(handle.keyspace, last));
    });
    return true;
  }

  #keyspace(): Keyspace {
    return new Keyspace(this.engine, this.#cache, this.id, this.name, true);
  }

  async #opened<T>(work: (handle: RepositoryHandle) => Promise<T>): Promise<T> {
    const handle = await RepositoryHandle.open(this.#keyspace(), this.env);
    try {
      return await work(handle);
    } finally {
      await handle.close();
    }
  }

  async #find(handle: RepositoryHandle, ref: Ref): Promise<{ last: RevisionRecord; head: number } | undefined> {
    try {
      return { last: await this.#resolve(handle, ref), head: handle.head.number };
    } catch (error) {
      const early = error instanceof NotFoundError && error.code === 'REVISION_NOT_FOUND' && timesOf(ref) !== undefined;
      if (!early) throw error;
      return undefined;
    }
  }

  // A time at which the newest revision was one that is trimmed now: the last one before it that was kept.
  async #resolve(handle: RepositoryHandle, ref: Ref): Promise<RevisionRecord> {
    const { timeline } = handle;
    try {
      return await resolveRef(timeline, ref);
    } catch (error) {
      if (mayBeElsewhere(error)) return this.#byBranch(handle, ref, error);
      const isTrimmed = error instanceof NotFoundError && error.code === 'REVISION_TRIMMED';
      const before = isTrimmed && timesOf(ref) !== undefined ? Number(error.details['before']) : 0;
      if (before === 0) throw error;
      return resolveRef(timeline, before);
    }
  }

  // The revision of `main` that the name of a branch leads to.
  async #byBranch(handle: RepositoryHandle, ref: Ref, error: unknown): Promise<RevisionRecord> {
    const main = lineOf(handle);
    const { on, record } = await locateElsewhere(linesOf(main), main, ref, error);
    if (on !== main) throw notInHistory(this.name, ref);
    return record;
  }

  async #delete(): Promise<void> {
    const gte = dataKey(this.id, 0).subarray(0, 5);
    await new Catalogue(this.engine, this.env, true, () => undefined).writeAlone([
      { type: 'delete', key: repositoryKey(this.name) },
      { type: 'deleteRange', gte, lt: afterPrefix(gte) },
    ]);
  }
}

const lineOf = (handle: RepositoryHandle): OpenLine => ({ handle, ready: () => handle.ready() });

const linesOf = (main: OpenLine): Lines<OpenLine> =>
  new Lines(main, { make: lineOf, forget: () => undefined, discard: () => true });

/** The writes with which the log of a line ends after a revision. */
const endOps = (own: Keyspace, last: Pick<RevisionRecord, 'number' | 'digest'>): WriteOp[] => [
  ...[Tag.log, Tag.statistics, Tag.hashCheckpoint, Tag.signature, Tag.trimmed].map((tag): WriteOp => ({
    type: 'deleteRange',
    gte: own.key(tag, last.number + 1),
    lt: own.tagRange(tag).lt,
  })),
  { type: 'put', key: own.key(Tag.head), value: encodeHead(last) },
];

/** The cut of the lines above `main`, which is cut already. */
class LinesCut {
  readonly #lines: Lines<OpenLine>;
  /** The last revision of each line that stays. */
  readonly #ends: Map<number, number>;

  constructor(
    private readonly handle: RepositoryHandle,
    private readonly time: number | undefined,
  ) {
    this.#lines = linesOf(lineOf(handle));
    this.#ends = new Map([[MAIN_LINE, handle.head.number]]);
  }

  async run(): Promise<void> {
    const cut = new Set<number>();
    for (const line of await this.#lines.numbers()) if (await this.#end(line)) cut.add(line);
    await clipCopies(this.handle.keyspace, this.#ends);
    await this.#deleteNames();
    if (cut.size === 0) return;
    await withLines(this.#lines, async (held) => {
      for (const handle of await held.handles()) if (cut.has(lineNumber(handle.keyspace))) await rebuildIndexes(handle);
    });
  }

  /** Ends a line, or deletes it. Returns whether its indexes must be made again. */
  async #end(line: number): Promise<boolean> {
    const { keyspace } = this.handle;
    const { base, fork } = await this.#lines.record(line);
    // Only its own log is read, so its base does not matter.
    const own = new LineKeyspace(keyspace, keyspace, line, fork);
    if (fork > (this.#ends.get(base) ?? 0)) {
      await keyspace.write([
        { type: 'deleteRange', ...own.everything },
        { type: 'delete', key: dataKey(keyspace.id, Tag.line, line) },
      ]);
      return false;
    }
    const head = await own.get(Tag.head);
    if (head === undefined) throw own.missing(`the head of line ${line}`);
    const { number } = decodeHead(head);
    const last = await this.#lastOf(own, { fork }, number);
    this.#ends.set(line, last.number);
    if (last.number === number) return false;
    const root = encodeManifest({ flushed: fork, checkpoint: fork, nextRun: await firstFreeRun(own), runs: [] });
    await keyspace.write([
      ...endOps(own, last),
      { type: 'deleteRange', ...own.tagRange(Tag.root) },
      { type: 'put', key: own.key(Tag.root), value: root },
    ]);
    return true;
  }

  // What the head of the line is then. Its first record has the digest of the revision on which it begins.
  async #lastOf(
    own: LineKeyspace,
    { fork }: Pick<LineRecord, 'fork'>,
    head: number,
  ): Promise<Pick<RevisionRecord, 'number' | 'digest'>> {
    let last: Pick<RevisionRecord, 'number' | 'digest'> | undefined;
    for await (const record of readRecords(own, fork + 1, head)) {
      last ??= { number: fork, digest: record.parentDigest };
      if (this.time === undefined || record.time <= this.time) last = record;
    }
    return last ?? { number: fork, digest: new Uint8Array(0) };
  }

  // Branches of lines that are gone, and those that were not there yet.
  async #deleteNames(): Promise<void> {
    const { keyspace } = this.handle;
    const time = this.time ?? Number.POSITIVE_INFINITY;
    const ops: WriteOp[] = [];
    const fromUtf8 = new TextDecoder();
    for await (const { rest, value } of keyspace.entries(Tag.branch))
      if (!this.#ends.has(decodeBranch(value).line) || decodeBranch(value).created > time)
        ops.push({ type: 'delete', key: this.#lines.branchKey(fromUtf8.decode(rest)) });
    await keyspace.write(ops);
  }
}

// Deletes the tags of revisions that no line has any more.
async function lostTags(keyspace: Keyspace, last: RevisionRecord): Promise<WriteOp[]> {
  const ops: WriteOp[] = [];
  for await (const { rest, value } of keyspace.entries(Tag.tag)) {
    if (compareUuids(last.id, value) >= 0 || (await isOnLine(keyspace, value))) continue;
    const key = new Uint8Array(6 + rest.length);
    key.set(dataKey(keyspace.id, Tag.tag));
    key.set(rest, 6);
    ops.push({ type: 'delete', key });
  }
  return ops;
}

/** Whether an id is that of a revision on another line than `main`. */
async function isOnLine(keyspace: Keyspace, id: Uint8Array): Promise<boolean> {
  const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
  return stored !== undefined && decodePositions(stored).length > 0;
}
