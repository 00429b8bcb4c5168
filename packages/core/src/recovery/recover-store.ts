/**
 * Recovers a store: copies everything before the first gap of each repository's log into an empty storage. The log
 * and the terms are copied unchanged. The indexes are rebuilt from them, and the indexes of the damaged store are
 * ignored.
 */
import { CorruptionError } from '@quadrille/model';
import type { Damage, StorageEngine } from '@quadrille/storage';
import { Catalogue } from '../catalogue/catalogue.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { readU32, Tag, tagRange } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import { BlockCache } from '../keyspace/block-cache.js';
import { erasedKey } from '../keyspace/erased-at.js';
import { Keyspace } from '../keyspace/keyspace.js';
import { revisionIdKey } from '../keyspace/line-keyspace.js';
import { firstRevisionOps } from '../timeline/first-revision.js';
import { loadDigest } from '../format/digest.js';
import type { RevisionRecord } from '../revision/record.js';
import { compareUuids } from '../revision/uuid.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { DEFAULT_TUNING } from '../runtime/tuning.js';
import type { Tuning } from '../runtime/tuning.js';
import { copyCatalogue } from './copy-catalogue.js';
import { copyLines, markOfBranches } from './copy-lines.js';
import { copyRepository } from './copy-repository.js';
import { losesUnseen, mayMiss, attempt, remnantOf, remnantsIn } from './remains.js';
import { findRepositories } from './find-repositories.js';
import { lostRevisions } from './lost-revisions.js';
import { KnownIds } from './read-terms.js';
import { Problems } from './report.js';
import type { RecoveredRepository, RecoveryReport } from './report.js';
import { surveyLog } from './survey-log.js';
import type { LogSurvey } from './survey-log.js';

/** Options of a recovery. */
export interface RecoveryOptions {
  /** Clock, random numbers and turns of the event loop. */
  readonly env: Env;
  /** Damages that the drivers of the source report. More may be added while it is read. */
  readonly damages: readonly Damage[];
  /** Aborts the recovery with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** For tests: sizes that differ from `DEFAULT_TUNING`. */
  readonly tuning?: Partial<Tuning> | undefined;
}

const CACHE_BYTES = 16 * 1024 * 1024;

/** See `recoverStore` of recover.ts. */
export async function recoverStore(
  source: StorageEngine,
  target: StorageEngine,
  options: RecoveryOptions,
): Promise<RecoveryReport> {
  await loadDigest();
  return new Recovery(source, target, options).run();
}

class Recovery {
  readonly #problems = new Problems();
  readonly #cache = new BlockCache(CACHE_BYTES);
  readonly #env: Env;
  readonly #tuning: Tuning;
  readonly #pacer: Pacer;

  constructor(
    private readonly source: StorageEngine,
    private readonly target: StorageEngine,
    private readonly options: RecoveryOptions,
  ) {
    const { env, signal } = options;
    // Lets the signal abort the called functions too, which do not check it themselves.
    const yieldTurn = (): Promise<void> => {
      signal?.throwIfAborted();
      return env.yieldTurn();
    };
    this.#env = { ...env, yieldTurn };
    this.#tuning = { ...DEFAULT_TUNING, ...options.tuning };
    this.#pacer = new Pacer(this.#env);
  }

  async run(): Promise<RecoveryReport> {
    const env = this.#env;
    const problems = this.#problems;
    const { damages } = this.options;
    const catalogue = new Catalogue(this.source, env, true, () => undefined);
    const next = await attempt(() => catalogue.entry());
    if ('problem' in next) {
      if (next.problem.code === 'FORMAT_VERSION') throw next.problem;
      problems.add({ ...problemOf(next.problem), where: 'store', lost: false });
    }
    const records = await findRepositories(this.source, (span) => mayMiss(damages, span), env, problems);
    const repositories: RecoveredRepository[] = [];
    for (const [name, record] of records) repositories.push(await this.#repository(name, record));
    const number = 'result' in next ? next.result?.nextRepository : undefined;
    // One durable batch at the end also makes the earlier ones durable, except those in older logs of LevelDB. A compaction of
    // any range writes these logs out as tables.
    const to = new Keyspace(this.target, this.#cache, 0, 'store', true, this.#tuning);
    await copyCatalogue(this.source, to, records, {
      next: number,
      id: new Catalogue(this.target, env, true, () => undefined).newStoreId(),
      env,
      problems,
    });
    await this.target.compact(to.everything);
    // Everything was read by now, so all damages are known.
    for (const damage of damages)
      problems.add({ code: 'CHECKSUM', message: damage.message, where: 'storage', lost: losesUnseen(damage) });
    return { repositories, problems: problems.all };
  }

  #keyspace(engine: StorageEngine, id: number, name: string): Keyspace {
    return new Keyspace(engine, this.#cache, id, name, false, this.#tuning);
  }

  async #repository(name: string, { id }: RepositoryRecord): Promise<RecoveredRepository> {
    const env = this.#env;
    const pacer = this.#pacer;
    const from = this.#keyspace(this.source, id, name);
    const to = this.#keyspace(this.target, id, name);
    const known = await KnownIds.read(from, pacer);
    const survey = await surveyLog(from, known, pacer);
    const { kept: last } = survey;
    const recovered = await this.#lost(from, survey);
    if (last === undefined) await to.write(firstRevisionOps(to, env));
    else {
      const mark = Math.max(last.termMark, await markOfBranches(from));
      await copyRepository({ from, to, known, mark, last, env, pacer });
      await copyLines(from, this.#keyspace(this.target, id, name), last.number, this.#problems);
    }
    await this.#copyNames(from, this.#keyspace(this.target, id, name), last);
    return recovered;
  }

  async #lost(from: Keyspace, { kept, gap }: LogSurvey): Promise<RecoveredRepository> {
    const { name } = from;
    const { revisions, quads, uncounted, openEnd } = await lostRevisions(from, kept, this.#pacer);
    const revisionsKept = kept?.number ?? 0;
    const first = revisionsKept + 1;
    if (revisions > 0) {
      const which = revisions === 1 ? `revision ${first} is` : `revisions ${first} to ${first + revisions - 1} are`;
      const unknown = uncounted === 0 ? '' : `; nothing is known about the quads of the last ${uncounted}`;
      const message = `${gap.message}: ${which} lost${unknown}`;
      this.#problems.lost({ code: gap.code, message }, `${name} revision ${first}`);
    }
    if (openEnd) {
      const message = `the head cannot be read: it is unknown whether there were revisions after ${revisionsKept + revisions}`;
      this.#problems.lost({ code: 'LOG_BROKEN', message }, `${name} head`);
    }
    return { name, revisionsKept, revisionsLost: revisions, quadsLost: quads };
  }

  /** Copies the prefixes, settings and remotes, and the tags and signatures of kept revisions. */
  async #copyNames(from: Keyspace, to: Keyspace, last: RevisionRecord | undefined): Promise<void> {
    const batch = new BatchWriter(to);
    // Without it, entity tags of revisions from before an erasure would be those of what was erased.
    const erased = await remnantOf(from.engine, erasedKey(from));
    if (erased.value !== undefined) batch.put(erasedKey(to), erased.value);
    for (const [tag, what] of NAMES) {
      for await (const { key, value, problem } of remnantsIn(from.engine, tagRange(from.id, tag))) {
        const name =
          tag === Tag.signature ? `of revision ${readU32(key, 6)}` : new TextDecoder().decode(key.subarray(6));
        const where = `${from.name} ${what} ${name}`;
        if (problem !== undefined) this.#problems.lost(problem, where);
        if (value === undefined) continue;
        if (tag === Tag.signature && (last === undefined || readU32(key, 6) > last.number)) continue;
        if (tag === Tag.tag && !(await namesKept(from, to, last, value)))
          this.#problems.lost(new CorruptionError('LOG_BROKEN', 'the tag named a revision that is lost'), where);
        else batch.put(key, value);
        if (batch.full) await batch.send();
      }
    }
    await batch.flush();
  }
}

/** The data beside the log, by name. */
// Whether the revision of a tag is in the target.
async function namesKept(
  from: Keyspace,
  to: Keyspace,
  last: RevisionRecord | undefined,
  id: Uint8Array,
): Promise<boolean> {
  const { value } = await remnantOf(from.engine, revisionIdKey(from, id));
  if (value !== undefined) return (await to.getKey(revisionIdKey(to, id))) !== undefined;
  return last !== undefined && compareUuids(last.id, id) >= 0;
}

const NAMES = [
  [Tag.namespace, 'prefix'],
  [Tag.tag, 'tag'],
  [Tag.settings, 'settings'],
  [Tag.remote, 'remote'],
  [Tag.patch, 'patch'],
  [Tag.signature, 'signature'],
] as const;

const problemOf = ({ code, message }: { code: string; message: string }): { code: string; message: string } => ({
  code,
  message,
});
