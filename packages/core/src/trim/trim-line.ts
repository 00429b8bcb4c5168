/**
 * Removes revisions of a line. The next revision that stays also has their changes from then on, as a squash. Intervals stay as they
 * are: a revision that stays sees the same ones. All this becomes true with one write.
 */
import { ConflictError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import type { Lines, OpenLine } from '../branch/lines.js';
import { Tag } from '../format/layout.js';
import { rewrittenOp } from '../keyspace/rewritten.js';
import { deleteGarbage, deleteWhenUnused, retireOps, RunSession } from '../index/run/run-session.js';
import { flushMemtable } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import type { Generation } from '../open/generation.js';
import type { RepositoryHandle } from '../open/handle.js';
import { readRecord } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { encodeHead, encodeRecord } from '../revision/record.js';
import type { IntegrityPart } from '../revision/record-fields.js';
import { Pacer } from '../runtime/env.js';
import { withoutUnseen } from './filter-history.js';
import type { FilteredRuns } from './filter-history.js';
import { keptNumbers, ownRevisions, referredNumbers } from './kept-revisions.js';
import type { TrimPolicy } from './kept-revisions.js';
import type { SquashDelta } from './squash-deltas.js';
import { SquashReader } from './squash-deltas.js';
import { planOf } from './trim-plan.js';
import type { TrimPlan } from './trim-plan.js';
import { trimmedOps, TrimmedNumbers } from './trimmed-numbers.js';

/** The digests of revisions as they are before the trim, by number. */
export type Attest = (numbers: readonly number[]) => Promise<ReadonlyMap<number, IntegrityPart>>;

export interface TrimOptions {
  readonly policy: TrimPolicy;
  /** Only tells what would be removed. */
  readonly dryRun: boolean;
  readonly attest: Attest;
}

export interface TrimResult {
  readonly trimmed: number;
  readonly kept: number;
  /** About as many bytes as the removed records take. */
  readonly recordBytes: number;
}

/** How long a trim waits for writers, in milliseconds. New ones wait for it meanwhile. */
const PATIENCE_MS = 5000;
/** Times that the plan is made again because something refers to what it would remove. */
const ATTEMPTS = 3;

/** The handle is in memory. */
export function trimLine(lines: Lines<OpenLine>, handle: RepositoryHandle, options: TrimOptions): Promise<TrimResult> {
  return handle.maintenance.run(async () => {
    for (let left = ATTEMPTS; ; left--) {
      const trim = new Trim(lines, handle.generation, options);
      const result = await trim.attempt(left > 1);
      if (result !== undefined) return result;
    }
  });
}

class Trim {
  readonly #pacer: Pacer;

  constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly generation: Generation,
    private readonly options: TrimOptions,
  ) {
    this.#pacer = new Pacer(generation.env);
  }

  /** `undefined` if it must be planned again. */
  async attempt(again: boolean): Promise<TrimResult | undefined> {
    const { dryRun } = this.options;
    if (!dryRun) await this.#prepare();
    const plan = await this.#plan(dryRun ? this.generation.published.number : this.generation.flushed);
    const recordBytes = plan.removed.reduce((sum, { bytes }) => sum + bytes, 0);
    const result = { trimmed: plan.removed.length, kept: plan.kept, recordBytes };
    if (dryRun || plan.removed.length === 0) return result;
    return (await this.#execute(plan, again)) ? result : undefined;
  }

  // All changes are in runs, and each interval that has ended is one row.
  async #prepare(): Promise<void> {
    await flushMemtable(this.generation, this.#pacer);
    await mergeAll(this.generation, this.#pacer);
  }

  async #plan(head: number): Promise<TrimPlan> {
    const { generation, lines } = this;
    const revisions = await ownRevisions(generation, head, this.#pacer);
    const referred = await referredNumbers(lines, generation, this.#pacer);
    return planOf(generation, revisions, keptNumbers(revisions, this.options.policy, referred));
  }

  // Returns false, and has no effect, if something refers to a revision that would be removed.
  async #execute(plan: TrimPlan, again: boolean): Promise<boolean> {
    const { generation } = this;
    const numbers = plan.places.map((place) => plan.stretches.all[place]!.number);
    const attested = await this.options.attest(numbers);
    const session = new RunSession(generation.keyspace, generation.numbers);
    let done = false;
    try {
      const reader = new SquashReader(generation, generation.index, plan.head, plan.stretches, this.#pacer);
      const { byPlace, unseen } = await reader.read(plan.places, session);
      const none: FilteredRuns = { drop: [], add: [] };
      const filtered = unseen === 0 ? none : await withoutUnseen(generation, session, plan.stretches, this.#pacer);
      done = await this.#alone(() => this.#switch(plan, { byPlace, attested, filtered, session }), again);
      return done;
    } finally {
      if (!done && generation.failure === undefined) await session.abandon().catch(() => undefined);
    }
  }

  // Changes that are under way were compared with revisions that may be removed.
  async #alone(work: () => Promise<boolean>, again: boolean): Promise<boolean> {
    const { termDropGuard, env, keyspace } = this.generation;
    const end = env.ticks() + PATIENCE_MS;
    let outcome = false;
    const isDone = await termDropGuard.alone(
      async () => void (outcome = await work()),
      async () => {
        await env.yieldTurn();
        return env.ticks() < end;
      },
    );
    if (isDone && (outcome || again)) return outcome;
    throw new ConflictError(
      'REPOSITORY_BUSY',
      `repository ${keyspace.name}: a transaction or a load was under way for ${PATIENCE_MS / 1000} s, so nothing was trimmed: ` +
        'try again when it has ended',
      { details: { repository: keyspace.name } },
    );
  }

  #switch(plan: TrimPlan, made: Made): Promise<boolean> {
    const { generation } = this;
    return generation.committer.writeLock.run(async () => {
      await generation.committer.drain();
      generation.checkWritable();
      const referred = await referredNumbers(this.lines, generation, this.#pacer);
      if (plan.removed.some(({ number }) => referred.has(number))) return false;
      const ops = new SwitchOps(generation, plan, made);
      await generation.keyspace.format.raise();
      try {
        await generation.keyspace.write(await ops.all(this.#pacer));
      } finally {
        TrimmedNumbers.forget(generation.keyspace);
      }
      ops.apply();
      return true;
    });
  }
}

interface Made {
  readonly byPlace: ReadonlyMap<number, SquashDelta>;
  readonly attested: ReadonlyMap<number, IntegrityPart>;
  readonly filtered: FilteredRuns;
  readonly session: RunSession;
}

/** The write that makes a trim true, and the change of the state in memory. The caller holds the write lock. */
class SwitchOps {
  /** Runs of the log whose records go. */
  readonly #unnamed: number[] = [];
  #head: RevisionRecord | undefined;
  /** The greatest record is written last, with the digest of the one before. */
  readonly #written = new Map<number, RevisionRecord>();

  constructor(
    private readonly generation: Generation,
    private readonly plan: TrimPlan,
    private readonly made: Made,
  ) {}

  async all(pacer: Pacer): Promise<WriteOp[]> {
    const { generation, made } = this;
    const { keyspace, committer, index } = generation;
    const squashes = await this.#squashOps(pacer);
    await this.#findUnnamed(pacer);
    const unnamed = new Set(this.#unnamed);
    const runs = [...index.runs.filter((run) => !made.filtered.drop.includes(run)), ...made.filtered.add];
    // The log does not name these any more, so they go when they are merged.
    for (const { entry } of runs) if (unnamed.has(entry.id)) entry.logOwned = false;
    for (const { entry } of made.filtered.drop) if (unnamed.has(entry.id)) entry.logOwned = false;
    const named = new Set(index.runs.map(({ entry }) => entry.id));
    const stray = this.#unnamed.filter((run) => !named.has(run));
    const encoded = await generation.statistics.encode(pacer);
    const ops: WriteOp[] = [
      rewrittenOp(keyspace, generation.env),
      ...this.#removalOps(),
      ...squashes,
      ...committer.checkpointOps({ number: generation.published.number, encoded }, runs),
      ...retireOps(keyspace, made.filtered.drop),
      ...stray.map((run): WriteOp => ({ type: 'put', key: keyspace.key(Tag.garbage, run), value: new Uint8Array(0) })),
      ...made.session.finish(),
    ];
    this.apply = () => {
      for (const run of made.filtered.drop) deleteWhenUnused(keyspace, generation.retiring, run);
      generation.replaceIndex(index.with(runs, index.memtables));
      if (this.#head !== undefined) generation.published = generation.staged = this.#head;
      forgetRecords(generation);
      for (const run of stray) void deleteGarbage(keyspace, run).catch(() => undefined);
    };
    return ops;
  }

  apply = (): void => undefined;

  async #squashOps(pacer: Pacer): Promise<WriteOp[]> {
    const { generation, plan, made } = this;
    const { keyspace } = generation;
    const ops: WriteOp[] = [];
    for (const place of plan.places) {
      const { number, since } = plan.stretches.all[place]!;
      const before = since === 0 ? undefined : (this.#written.get(since) ?? (await readRecord(keyspace, since)));
      const old = await readRecord(keyspace, number);
      this.#note(old);
      const record = squashOf(old, since, before, made.byPlace.get(place)!, made.attested.get(number));
      const { bytes, digest } = encodeRecord(record);
      const written = { ...record, digest };
      this.#written.set(number, written);
      ops.push({ type: 'put', key: keyspace.key(Tag.log, number), value: bytes });
      if (number === generation.published.number) {
        this.#head = written;
        ops.push({ type: 'put', key: keyspace.key(Tag.head), value: encodeHead(written) });
      }
      if (pacer.due()) await pacer.pause();
    }
    return ops;
  }

  #note({ payload }: RevisionRecord): void {
    for (const { run } of [...(payload?.added ?? []), ...(payload?.removed ?? [])]) this.#unnamed.push(run);
  }

  async #findUnnamed(pacer: Pacer): Promise<void> {
    for (const { number, hasRuns } of this.plan.removed) {
      if (hasRuns) this.#note(await readRecord(this.generation.keyspace, number));
      if (pacer.due()) await pacer.pause();
    }
  }

  // Removes what belongs to the removed revisions, and notes their ids and times.
  #removalOps(): WriteOp[] {
    const { keyspace } = this.generation;
    const { removed } = this.plan;
    const ops: WriteOp[] = [];
    for (let at = 0; at < removed.length;) {
      const first = at;
      do at++;
      while (at < removed.length && removed[at]!.number === removed[at - 1]!.number + 1);
      const [low, high] = [removed[first]!.number, removed[at - 1]!.number + 1];
      for (const tag of [Tag.log, Tag.hashCheckpoint, Tag.signature])
        ops.push({ type: 'deleteRange', gte: keyspace.key(tag, low), lt: keyspace.key(tag, high) });
      // The statistics of the empty first revision are where counting begins.
      const least = Math.max(low, 2);
      if (least < high)
        ops.push({
          type: 'deleteRange',
          gte: keyspace.key(Tag.statistics, least),
          lt: keyspace.key(Tag.statistics, high),
        });
      ops.push(...trimmedOps(keyspace, removed.slice(first, at)));
    }
    return ops;
  }
}

// Lines above read the records of this one too.
function forgetRecords(generation: Generation): void {
  generation.recentRecords.clear();
  generation.recentNumbers.clear();
  generation.revisionStatistics.forget();
  generation.rewrites++;
  for (const line of generation.above) forgetRecords(line);
}

function squashOf(
  old: RevisionRecord,
  since: number,
  before: RevisionRecord | undefined,
  delta: SquashDelta,
  integrity: IntegrityPart | undefined,
): Omit<RevisionRecord, 'digest'> {
  return {
    ...old,
    version: 3,
    kind: 'squash',
    since,
    parentId: before?.id,
    parentDigest: before?.digest ?? new Uint8Array(old.parentDigest.length),
    addedCount: delta.addedCount,
    removedCount: delta.removedCount,
    added: delta.added,
    removed: delta.removed,
    payload: delta.payload,
    integrity: integrity ?? old.integrity,
  };
}
