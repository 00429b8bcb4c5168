/** The write that makes an erasure true: all lines read other runs from then on, and the plan tells what is left to do. */
import type { WriteOp } from '@quadrille/storage';
import { Tag } from '../format/layout.js';
import type { RunEntry } from '../index/run/run.js';
import { garbageOps, RunSession } from '../index/run/run-session.js';
import { EndedColumns, NO_QUADS } from '../index/quad-columns.js';
import { deltaRuns } from '../revision/delta.js';
import { readRecord } from '../revision/log.js';
import { encodeHead } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import type { LinePlan } from './erase-plan.js';
import { RunCopies } from '../rewrite/run-copies.js';
import type { Selection } from './selection.js';
import { matcherOf } from './selection.js';
import type { LineSurvey } from './survey.js';
import { statisticsWithout } from './survey.js';

interface EraseSaid {
  readonly author?: string | undefined;
  readonly message: string;
  readonly after: number;
}

/** The copies of the runs of one line, and what its part of the switch is made of. */
export class LineSwitch {
  readonly #session: RunSession;
  readonly #copies: RunCopies;
  #entries: readonly RunEntry[] = [];

  constructor(
    readonly survey: LineSurvey,
    private readonly selection: Selection,
    private readonly pacer: Pacer,
  ) {
    const { timeline } = survey.handle;
    this.#session = new RunSession(timeline);
    this.#copies = new RunCopies(this.#session, matcherOf(selection), pacer);
  }

  get bytesWritten(): number {
    return this.#copies.bytesWritten;
  }

  /** Writes the copies of all runs of the index and of the log that have erased rows. */
  async copyRuns(): Promise<void> {
    const { timeline } = this.survey.handle;
    const entries: RunEntry[] = [];
    for (const { entry } of timeline.index.runs) {
      const replaced = await this.#copies.of(entry);
      if (replaced === undefined) entries.push(entry);
      else if (replaced.by !== undefined)
        entries.push({ ...entry, id: replaced.by.payload.run, rows: replaced.by.payload.rows });
    }
    this.#entries = entries;
    for (const number of this.survey.changed) {
      const record = await readRecord(timeline.keyspace, number);
      for (const entry of deltaRuns(record)) await this.#copies.of(entry);
      if (this.pacer.due()) await this.pacer.pause();
    }
  }

  /** The plan of the line. Its last revision is the head of now. */
  plan(): LinePlan {
    const { line, changed, before, handle } = this.survey;
    const runs = Array.from(this.#copies.replaced, ([run, { by }]) => ({ run, by: by?.payload }));
    const last = handle.timeline.published.number;
    return { line, first: changed[0]!, last, alive: before, runs };
  }

  /** `after` is the time of the last revision of all lines. Nothing is staged. */
  async ops(said: EraseSaid): Promise<WriteOp[]> {
    const { handle, alive, changed } = this.survey;
    const { timeline } = handle;
    const { keyspace } = timeline;
    timeline.writeLock.assertHeld();
    const encoded = await (await statisticsWithout(handle, this.selection, this.pacer)).encode(this.pacer);
    const { record, ops } = timeline.nextRevision(NO_QUADS, new EndedColumns(), {
      author: said.author,
      message: said.message,
      lineage: { kind: 'erase', mergedParent: undefined, origin: undefined },
      // What is as old as the last revision counts as changed by the erasure, and this revision is not.
      describe: (body) => ({
        ...body,
        time: body.time === said.after ? said.after + 1 : body.time,
        size: body.size - alive,
      }),
    });
    const { number } = record;
    const between = (tag: number, from: number): WriteOp => ({
      type: 'deleteRange',
      gte: keyspace.key(tag, from),
      lt: keyspace.key(tag, number),
    });
    const runs = this.#entries.map((entry) => ({ entry }));
    return [
      ...ops,
      { type: 'put', key: keyspace.key(Tag.head), value: encodeHead(record) },
      ...timeline.manifestOps(runs, { flushed: number, checkpoint: number }),
      // The statistics of the empty first revision are where counting begins.
      between(Tag.statistics, Math.max(2, changed[0]!)),
      between(Tag.hashCheckpoint, changed[0]!),
      ...keyspace.putParts(encoded, (part) => keyspace.key(Tag.statistics, number, part)),
      ...garbageOps(keyspace, this.#copies.replaced.keys()),
      ...this.#session.finish(),
    ];
  }

  abandon(): Promise<void> {
    return this.#session.abandon();
  }
}
