/**
 * Removes revisions of a line. The next revision that stays also has their changes from then on, as a squash. Intervals stay as they
 * are: a revision that stays sees the same ones. All this becomes true with one write.
 */
import type { WriteOp } from '@quadrille/storage';
import type { Lines, OpenLine } from '../branch/lines.js';
import { lineNumber } from '../branch/locate.js';
import { Tag } from '../format/layout.js';
import { rewrittenOp } from '../keyspace/rewritten.js';
import { deleteGarbage, deleteWhenUnused, garbageOps, retireOps, RunSession } from '../index/run/run-session.js';
import { flushMemtable } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import type { Timeline } from '../timeline/timeline.js';
import { busy, withoutChanges } from '../timeline/without-changes.js';
import type { StateChange } from '../timeline/state.js';
import type { RepositoryHandle } from '../open/handle.js';
import { Checkpoints, dependentCheckpoints } from '../revision/checkpoints.js';
import { readRecord } from '../revision/log.js';
import type { RevisionBody, RevisionRecord } from '../revision/record.js';
import { encodeHead, encodeRecord, rewritten } from '../revision/record.js';
import type { IntegrityPart } from '../revision/record-fields.js';
import { Pacer } from '../runtime/env.js';
import { RunCopies, type DropsRow } from '../rewrite/run-copies.js';
import type { Switch } from '../timeline/change.js';
import { keptNumbers, ownRevisions, referredNumbers } from './kept-revisions.js';
import type { TrimPolicy } from './kept-revisions.js';
import type { SquashDelta } from './squash-deltas.js';
import { SquashReader } from './squash-deltas.js';
import { planOf } from './trim-plan.js';
import type { TrimPlan } from './trim-plan.js';
import { trimmedOps, TrimmedNumbers } from '../revision/trimmed-numbers.js';

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

/** Times that the plan is made again because something refers to what it would remove. */
const ATTEMPTS = 3;

/** The handle is in memory. */
export function trimLine(lines: Lines<OpenLine>, handle: RepositoryHandle, options: TrimOptions): Promise<TrimResult> {
  return handle.maintenance.run(async () => {
    for (let left = ATTEMPTS; ; left--) {
      const trim = new Trim(lines, handle.timeline, options);
      const result = await trim.attempt(left > 1);
      if (result !== undefined) return result;
    }
  });
}

class Trim {
  readonly #pacer: Pacer;

  constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly timeline: Timeline,
    private readonly options: TrimOptions,
  ) {
    this.#pacer = new Pacer(timeline.env);
  }

  /** `undefined` if it must be planned again. */
  async attempt(again: boolean): Promise<TrimResult | undefined> {
    const { dryRun } = this.options;
    if (!dryRun) await this.#prepare();
    const plan = await this.#plan(dryRun ? this.timeline.published.number : this.timeline.flushed);
    const recordBytes = plan.removed.reduce((sum, { bytes }) => sum + bytes, 0);
    const result = { trimmed: plan.removed.length, kept: plan.kept, recordBytes };
    if (dryRun || plan.removed.length === 0) return result;
    return (await this.#execute(plan, again)) ? result : undefined;
  }

  // All changes are in runs, and each interval that has ended is one row.
  async #prepare(): Promise<void> {
    await flushMemtable(this.timeline, this.#pacer);
    await mergeAll(this.timeline, this.#pacer);
  }

  async #plan(head: number): Promise<TrimPlan> {
    const { timeline, lines } = this;
    const revisions = await ownRevisions(timeline, head, this.#pacer);
    const referred = await referredNumbers(lines, timeline, this.#pacer);
    return planOf(timeline, revisions, keptNumbers(revisions, this.options.policy, referred));
  }

  // Returns false, and has no effect, if something refers to a revision that would be removed.
  async #execute(plan: TrimPlan, again: boolean): Promise<boolean> {
    const { timeline } = this;
    const numbers = plan.places.map((place) => plan.stretches.all[place]!.number);
    const attested = await this.options.attest(numbers);
    const session = new RunSession(timeline);
    let done = false;
    try {
      const reader = new SquashReader(timeline, timeline.index, plan.head, plan.stretches, this.#pacer);
      const { byPlace, unseen } = await reader.read(plan.places, session);
      const { stretches } = plan;
      const isUnseen: DropsRow = (_s, _p, _o, _g, from, to) => !stretches.sees(from, to);
      const copies = new RunCopies(session, isUnseen, this.#pacer);
      for (const { entry } of unseen === 0 ? [] : timeline.index.runs)
        if (entry.kind === 'history') await copies.of(entry);
      done = await this.#alone(() => this.#switch(plan, { byPlace, attested, copies, session }), again);
      return done;
    } finally {
      if (!done && timeline.failure === undefined) await session.abandon().catch(() => undefined);
    }
  }

  // Changes that are under way were compared with revisions that may be removed.
  async #alone(work: () => Promise<boolean>, again: boolean): Promise<boolean> {
    const isDone = await withoutChanges(this.timeline, 'trimmed', work);
    if (isDone || again) return isDone;
    throw busy(this.timeline, 'trimmed');
  }

  #switch(plan: TrimPlan, made: Made): Promise<boolean> {
    const { timeline } = this;
    const { keyspace } = timeline;
    const parts = new SwitchParts(timeline, plan, made);
    const prepare = async (): Promise<Switch | undefined> => {
      timeline.checkWritable();
      const referred = await referredNumbers(this.lines, timeline, this.#pacer);
      if (plan.removed.some(({ number }) => referred.has(number))) return undefined;
      await keyspace.format.raise();
      return parts.all(this.#pacer);
    };
    return timeline.writeLock.run(async () => {
      const done = await timeline.switch(prepare).finally(() => TrimmedNumbers.forget(keyspace));
      if (done) await this.#moveUnloaded(parts.written);
      return done;
    });
  }

  // Lines that are not in memory keep the records of their heads.
  async #moveUnloaded(written: Written): Promise<void> {
    for (const line of await this.lines.numbers()) {
      const handle = (await this.lines.opened(line))?.handle;
      if (handle === undefined || handle.inMemory) continue;
      const head = rewrittenHead(handle, handle.head.number, this.timeline, written);
      if (head !== undefined) handle.moveHead(head);
    }
  }
}

interface Made {
  readonly byPlace: ReadonlyMap<number, SquashDelta>;
  readonly attested: ReadonlyMap<number, IntegrityPart>;
  /** Of the history runs, without the intervals that no revision sees any more. */
  readonly copies: RunCopies;
  readonly session: RunSession;
}

/** Records that a trim has written, by number. */
type Written = ReadonlyMap<number, RevisionRecord>;

/** The write that makes a trim true, and the change of the state in memory. */
class SwitchParts {
  /** Runs of the log whose records go. */
  readonly #unnamed: number[] = [];
  /** The greatest record is written last, with the digest of the one before. */
  readonly written = new Map<number, RevisionRecord>();

  constructor(
    private readonly timeline: Timeline,
    private readonly plan: TrimPlan,
    private readonly made: Made,
  ) {}

  async all(pacer: Pacer): Promise<Switch> {
    const { timeline, made } = this;
    const { keyspace, index } = timeline;
    timeline.writeLock.assertHeld();
    const squashes = await this.#squashOps(pacer);
    await this.#findUnnamed(pacer);
    const unnamed = new Set(this.#unnamed);
    const { replaced } = made.copies;
    const dropped = index.runs.filter(({ entry }) => replaced.has(entry.id));
    const kept = index.runs.filter(({ entry }) => !replaced.has(entry.id));
    const runs = [...kept, ...[...replaced.values()].flatMap(({ by }) => by?.run ?? [])];
    // The log does not name these any more, so they go when they are merged.
    for (const { entry } of [...runs, ...dropped]) if (unnamed.has(entry.id)) entry.logOwned = false;
    const named = new Set(index.runs.map(({ entry }) => entry.id));
    const stray = this.#unnamed.filter((run) => !named.has(run));
    const checkpoint = await Checkpoints.whole(timeline.published.number, timeline.statistics, pacer);
    const ops: WriteOp[] = [
      rewrittenOp(keyspace, timeline.env),
      ...(await this.#removalOps()),
      ...squashes,
      ...timeline.checkpointOps(checkpoint, runs),
      ...retireOps(keyspace, dropped),
      ...garbageOps(keyspace, stray),
      ...made.session.finish(),
    ];
    const publish = (): StateChange => {
      for (const run of dropped) deleteWhenUnused(keyspace, timeline.retiring, run);
      forgetRecords(timeline, timeline, this.written);
      for (const run of stray) void deleteGarbage(keyspace, run).catch(() => undefined);
      made.session.giveBack();
      return { index: index.with(runs, index.memtables), checkpoints: checkpoint.checkpoints };
    };
    return { ops, publish };
  }

  async #squashOps(pacer: Pacer): Promise<WriteOp[]> {
    const { timeline, plan, made } = this;
    const { keyspace } = timeline;
    const ops: WriteOp[] = [];
    for (const place of plan.places) {
      const { number, since } = plan.stretches.all[place]!;
      const before = since === 0 ? undefined : (this.written.get(since) ?? (await readRecord(keyspace, since)));
      const old = await readRecord(keyspace, number);
      this.#note(old);
      const record = squashOf(old, since, before, made.byPlace.get(place)!, made.attested.get(number));
      const { bytes, digest } = encodeRecord(record);
      const written = { ...record, digest };
      this.written.set(number, written);
      ops.push({ type: 'put', key: keyspace.key(Tag.log, number), value: bytes });
      if (number === timeline.published.number)
        ops.push({ type: 'put', key: keyspace.key(Tag.head), value: encodeHead(written) });
      if (pacer.due()) await pacer.pause();
    }
    return ops;
  }

  #note({ payload }: RevisionRecord): void {
    for (const { run } of [...(payload?.added ?? []), ...(payload?.removed ?? [])]) this.#unnamed.push(run);
  }

  async #findUnnamed(pacer: Pacer): Promise<void> {
    for (const { number, hasRuns } of this.plan.removed) {
      if (hasRuns) this.#note(await readRecord(this.timeline.keyspace, number));
      if (pacer.due()) await pacer.pause();
    }
  }

  // Removes what belongs to the removed revisions, and notes their ids and times.
  async #removalOps(): Promise<WriteOp[]> {
    const { keyspace } = this.timeline;
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
    const gone = new Set(removed.map(({ number }) => number).filter((number) => number > 1));
    for (const number of await dependentCheckpoints(keyspace, (each) => gone.has(each)))
      ops.push({
        type: 'deleteRange',
        gte: keyspace.key(Tag.statistics, number),
        lt: keyspace.key(Tag.statistics, number + 1),
      });
    return ops;
  }
}

// Lines above read the records of this one too. The head of a line without revisions of its own is one of them.
function forgetRecords(timeline: Timeline, trimmed: Timeline, written: Written): void {
  timeline.recentRecords.clear();
  timeline.recentNumbers.clear();
  timeline.revisionStatistics.forget();
  timeline.rewrites++;
  const head = rewrittenHead(timeline, timeline.published.number, trimmed, written);
  if (head !== undefined) timeline.publish({ head });
  for (const line of timeline.above) forgetRecords(line, trimmed, written);
}

/** The new record of a line's head, if the trim of this or another line has written it. */
const rewrittenHead = (
  { keyspace }: Pick<Timeline, 'keyspace'>,
  head: number,
  trimmed: Timeline,
  written: Written,
): RevisionRecord | undefined =>
  lineNumber(keyspace.at(head)) === lineNumber(trimmed.keyspace) ? written.get(head) : undefined;

function squashOf(
  old: RevisionRecord,
  since: number,
  before: RevisionRecord | undefined,
  delta: SquashDelta,
  integrity: IntegrityPart | undefined,
): RevisionBody {
  return rewritten(old, {
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
  });
}
