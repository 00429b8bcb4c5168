/**
 * Revisions that are made one after the other and become visible together. A draft is a timeline of the line that nobody else sees:
 * commits on it are written as usual, but their writes are collected. Large ones write their runs aside.
 */
import { Mutex } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { Memtable } from '../index/index-version.js';
import type { Run } from '../index/run/run.js';
import { deleteStrays } from '../index/run/run-session.js';
import { Timeline } from './timeline.js';
import type { StateChange } from './state.js';
import type { RevisionRecord } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import type { Switch } from './change.js';
import type { StagedCommit, CommitWriter } from './group-writer.js';

/** Publishes each commit on the draft at once. */
class Collector implements CommitWriter {
  readonly turns: Pacer;
  readonly ops: WriteOp[] = [];
  readonly records: RevisionRecord[] = [];

  constructor(timeline: Timeline) {
    this.turns = new Pacer(timeline.env);
  }

  push({ line, record, ops, onPublish, resolve }: StagedCommit): void {
    for (const op of ops) this.ops.push(op);
    this.records.push(record);
    onPublish?.();
    line.publish({ head: record });
    resolve(record);
  }

  async drain(): Promise<void> {}
}

export class Draft extends Timeline {
  readonly isDraft = true;
  readonly #collector: Collector;
  readonly #known: ReadonlySet<Run>;

  /** Nothing is staged on the line, and its index is not replaced within this call. */
  constructor(private readonly line: Timeline) {
    const {
      keyspace,
      env,
      users,
      numbers,
      retiring,
      maintenance,
      base,
      shared,
      dictionary,
      published,
      flushed,
      checkpoints,
    } = line;
    const index = line.index.with(line.index.runs, [...line.index.memtables, new Memtable()]);
    const statistics = line.statistics.copy();
    const parts = { keyspace, env, users, numbers, retiring, maintenance, writeLock: new Mutex() };
    const none = (): undefined => undefined;
    super(
      { ...parts, announce: none, room: none, guard: (change, on) => line.guard(change, on) },
      { base, shared, dictionary, index, statistics, published, flushed, checkpoints },
    );
    this.#collector = new Collector(line);
    this.#known = new Set(index.runs);
  }

  override get writer(): CommitWriter {
    return this.#collector;
  }

  get #runs(): Run[] {
    return this.index.runs.filter((run) => !this.#known.has(run));
  }

  /** The switch of the line to all revisions of the draft. The head of the line is still that of the beginning. */
  switchOf(more: readonly WriteOp[]): Switch {
    const { line } = this;
    const { records, ops } = this.#collector;
    const record = records.at(-1)!;
    const runs = [...line.index.runs, ...this.#runs];
    const memtables = [...line.index.memtables, ...this.index.memtables.slice(-1)];
    const { statistics, checkpoints } = this;
    const manifest = line.manifestOps(runs, { checkpoint: checkpoints.number });
    const root = this.keyspace.key(Tag.root);
    const isManifest = (op: WriteOp): boolean =>
      equalBytes((op.type === 'deleteRange' ? op.gte : op.key).subarray(0, root.length), root);
    for (const each of records.slice(0, -1)) line.recent.note(each);
    const publish = (): StateChange => ({ index: line.index.with(runs, memtables), statistics, checkpoints });
    return { next: { record, ops: [] }, ops: [...ops.filter((op) => !isManifest(op)), ...manifest, ...more], publish };
  }

  /** Releases what the draft reads, and deletes the runs that it has written, unless it was published. */
  async close(published: boolean): Promise<void> {
    const runs = published ? [] : this.#runs;
    this.index.supersede();
    if (this.failure !== undefined) return;
    const ids = runs.map(({ entry }) => entry.id);
    await deleteStrays(this.keyspace, ids).catch(() => undefined);
  }
}
