/** Sets the repositories of a restored store back to an earlier revision. Nothing else has the store open. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { Catalogue, fromJson, nameIn, repositoryKey } from '../catalogue/catalogue.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { afterPrefix, Area, areaKey, dataKey, Tag, tagRange } from '../format/layout.js';
import { BlockCache } from '../keyspace/block-cache.js';
import { locateElsewhere } from '../branch/locate.js';
import { cutLines, isOnLine, lineOf, linesOf } from './cut-lines.js';
import { Keyspace } from '../keyspace/keyspace.js';
import { rebuildFromLog } from '../integrity/rebuild.js';
import { RepositoryHandle } from '../open/handle.js';
import { loadDigest } from '../format/digest.js';
import type { RevisionRecord } from '../revision/record.js';
import { encodeHead } from '../revision/record.js';
import type { Ref } from '../timeline/refs.js';
import { mayBeElsewhere, notInHistory, resolveRef, timesOf } from '../timeline/refs.js';
import { compareUuids } from '../revision/uuid.js';
import type { Env } from '../runtime/env.js';

/** A time or, in a backup of one repository, any ref; or refs by the names of repositories. */
export type RestorePoint = Ref | Readonly<Record<string, Ref>>;

const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Checks a point against the repositories of a backup, as far as that is possible without its data.
 * @throws InvalidArgumentError `INVALID_OPTION`; NotFoundError `REPOSITORY_NOT_FOUND`
 */
export function checkPoint(to: RestorePoint, names: readonly string[]): void {
  if (isRefs(to)) {
    const missing = Object.keys(to).find((name) => !names.includes(name));
    if (missing === undefined) return;
    throw new NotFoundError('REPOSITORY_NOT_FOUND', `the backup has no repository ${missing}`, {
      details: { repository: missing },
    });
  }
  if (timesOf(to) !== undefined || names.length === 1) return;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `restore: the backup has ${names.length} repositories: \`to\` is a time, or names the revision of each, ` +
      `as in { '${names[0] ?? 'account/name'}': 17 }`,
    { details: { option: 'to' } },
  );
}

function isRefs(to: RestorePoint): to is Readonly<Record<string, Ref>> {
  return typeof to === 'object' && !(to instanceof Date) && typeof (to as { id?: unknown }).id !== 'string';
}

/**
 * Sets repositories back. A repository that did not exist at a time is deleted. Returns the names of those.
 * @throws NotFoundError `REVISION_NOT_FOUND`; InvalidArgumentError `INVALID_REF`; see also {@link checkPoint}
 */
export async function cutRepositories(engine: StorageEngine, to: RestorePoint, env: Env): Promise<readonly string[]> {
  await loadDigest();
  const found = new Map<string, RepositoryRecord>();
  const head = areaKey(Area.repository);
  for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }))
    for (const { key, value } of chunk) found.set(nameIn(key), fromJson(value) as RepositoryRecord);
  checkPoint(to, [...found.keys()]);
  const dropped: string[] = [];
  for (const [name, { id }] of found) {
    const ref = isRefs(to) ? to[name] : to;
    if (ref === undefined) continue;
    const cut = new Cut(engine, id, name, env);
    if (await cut.to(ref)) continue;
    dropped.push(name);
  }
  return dropped;
}

/**
 * Sets one repository back to a revision of `main`. Nothing else has it open.
 * @throws NotFoundError `REVISION_NOT_FOUND`; InvalidArgumentError `INVALID_REF`
 */
export async function cutRepository(
  engine: StorageEngine,
  { id, name }: { readonly id: number; readonly name: string },
  env: Env,
  to: Ref,
): Promise<void> {
  await new Cut(engine, id, name, env).to(to);
}

class Cut {
  readonly #cache = new BlockCache(CACHE_BYTES);

  constructor(
    private readonly engine: StorageEngine,
    private readonly id: number,
    private readonly name: string,
    private readonly env: Env,
  ) {}

  /** Returns false if the repository did not exist at the time: then it is deleted. */
  async to(ref: Ref): Promise<boolean> {
    const found = await this.#find(ref);
    if (found === undefined) {
      await this.#delete();
      return false;
    }
    if (found.record.number < found.head) await this.#cut(found.record);
    await this.#cutLines(timesOf(ref)?.last, found.record);
    return true;
  }

  #keyspace(): Keyspace {
    return new Keyspace(this.engine, this.#cache, this.id, this.name, true);
  }

  async #find(ref: Ref): Promise<{ record: RevisionRecord; head: number } | undefined> {
    const handle = await RepositoryHandle.open(this.#keyspace(), this.env);
    try {
      return { record: await this.#resolve(handle, ref), head: handle.head.number };
    } catch (error) {
      const early = error instanceof NotFoundError && error.code === 'REVISION_NOT_FOUND' && timesOf(ref) !== undefined;
      if (!early) throw error;
      return undefined;
    } finally {
      await handle.close();
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

  /** The log ends with the record. The indexes are made again from it. */
  async #cut(last: RevisionRecord): Promise<void> {
    const keyspace = this.#keyspace();
    const ops: WriteOp[] = [Tag.log, Tag.statistics, Tag.hashCheckpoint, Tag.signature, Tag.trimmed].map((tag) => ({
      type: 'deleteRange',
      gte: keyspace.key(tag, last.number + 1),
      lt: tagRange(this.id, tag).lt,
    }));
    ops.push({ type: 'put', key: keyspace.key(Tag.head), value: encodeHead(last) });
    await keyspace.write(ops);
    const handle = await RepositoryHandle.openOnLog(keyspace, this.env);
    try {
      await rebuildFromLog(handle);
    } finally {
      await handle.close();
    }
  }

  async #cutLines(time: number | undefined, last: RevisionRecord): Promise<void> {
    const keyspace = this.#keyspace();
    const handle = await RepositoryHandle.open(keyspace, this.env);
    try {
      await cutLines(handle, time);
      await keyspace.write(await this.#lostTags(keyspace, last));
    } finally {
      await handle.close();
    }
  }

  // Tags of revisions that no line has any more.
  async #lostTags(keyspace: Keyspace, last: RevisionRecord): Promise<WriteOp[]> {
    const ops: WriteOp[] = [];
    for await (const { rest, value } of keyspace.entries(Tag.tag)) {
      if (compareUuids(last.id, value) >= 0 || (await isOnLine(keyspace, value))) continue;
      const key = new Uint8Array(6 + rest.length);
      key.set(dataKey(this.id, Tag.tag));
      key.set(rest, 6);
      ops.push({ type: 'delete', key });
    }
    return ops;
  }

  async #delete(): Promise<void> {
    const gte = dataKey(this.id, 0).subarray(0, 5);
    await new Catalogue(this.engine, this.env, true, () => undefined).writeAlone([
      { type: 'delete', key: repositoryKey(this.name) },
      { type: 'deleteRange', gte, lt: afterPrefix(gte) },
    ]);
  }
}
