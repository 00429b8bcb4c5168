/** Merges runs of one order into new runs. An interval and its tombstone become one history row. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import type { RunSession } from '../run/run-session.js';
import { BatchWriter } from '../../keyspace/batch-writer.js';
import { BLOCK_ROWS } from '../../format/layout.js';
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import { wholeRun } from '../read/batches.js';
import type { RowSource } from '../read/row-source.js';
import { RunWriter } from '../run/run-writer.js';
import type { Run, RunKind } from '../run/run.js';
import { compareRows, copyRows, firstFrom, insertSource, settleFirst } from '../read/merge-scan.js';

/** Collects rows for a new run and writes them block by block. */
export class RunOutput {
  #writer: RunWriter | undefined;
  #batch: BatchWriter;
  readonly #rows = newRowColumns(BLOCK_ROWS);
  #count = 0;

  constructor(
    private readonly session: RunSession,
    private readonly order: Order,
    private readonly kind: RunKind,
  ) {
    this.#batch = new BatchWriter(session);
  }

  get full(): boolean {
    return this.#count === BLOCK_ROWS;
  }

  push(columns: RowColumns, row: number, to: number): void {
    for (let column = 0; column < 5; column++) this.#rows[column]![this.#count] = columns[column]![row]!;
    this.#rows[5][this.#count++] = to;
  }

  /** Copies rows of a window, up to `end` or until the block is {@link full}. Returns the end of the copied rows. */
  take(columns: RowColumns, start: number, end: number): number {
    const count = Math.min(end - start, BLOCK_ROWS - this.#count);
    copyRows(columns, start, count, this.#rows, this.#count);
    this.#count += count;
    return start + count;
  }

  async flush(): Promise<void> {
    if (this.#count === 0) return;
    const { session } = this;
    this.#writer ??= new RunWriter(session.keyspace, this.#batch, await session.take(), this.order, this.kind);
    if (this.#writer.append(this.#rows, 0, this.#count)) await this.#batch.send();
    this.#count = 0;
  }

  /** Bytes of the blocks so far. */
  get writtenBytes(): number {
    return this.#batch.writtenBytes;
  }

  async finish(): Promise<Run[]> {
    const written = await this.end(false);
    return written === undefined ? [] : [written.run];
  }

  /** The run and the digest of its blocks; `undefined` without rows. */
  async end(logOwned: boolean): Promise<{ run: Run; digest: Uint8Array } | undefined> {
    await this.flush();
    return this.#writer?.finish({ revision: 0, logOwned });
  }
}

/**
 * Merges runs and returns the new runs, at most one of each kind. A tombstone stays a tombstone if its interval is
 * not in `runs`.
 */
export async function mergeRuns(
  session: RunSession,
  order: Order,
  runs: readonly Run[],
  tombstoneRuns: readonly Run[],
  pacer: Pacer,
  kind: RunKind = 'live',
): Promise<Run[]> {
  const alive = new RunOutput(session, order, kind);
  const history = new RunOutput(session, order, 'history');
  const tombstones = new RunOutput(session, order, 'tombstone');
  await mergeInto({ alive, history, tombstones }, runs, tombstoneRuns, pacer);
  return [...(await alive.finish()), ...(await history.finish()), ...(await tombstones.finish())];
}

/** Appends the rows of runs of one order to an output, sorted. */
export function mergeAlike(output: RunOutput, runs: readonly Run[], pacer: Pacer): Promise<void> {
  return mergeInto({ alive: output, history: output, tombstones: output }, runs, [], pacer);
}

interface Outputs {
  readonly alive: RunOutput;
  readonly history: RunOutput;
  readonly tombstones: RunOutput;
}

async function mergeInto(
  outputs: Outputs,
  runs: readonly Run[],
  tombstoneRuns: readonly Run[],
  pacer: Pacer,
): Promise<void> {
  const { alive, history, tombstones } = outputs;
  const all = [...runs, ...tombstoneRuns].map(wholeRun);
  const open: RowSource[] = [];
  const ended: RowSource[] = [];
  try {
    for (const [i, source] of all.entries())
      if (await filled(source)) insertSource(source, i < runs.length ? open : ended);
    while (open.length > 0 || ended.length > 0) {
      const due = mergeStep(open, ended, outputs);
      if (due.open) await refillFirst(open);
      if (due.ended) await refillFirst(ended);
      for (const output of [alive, history, tombstones]) if (output.full) await output.flush();
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    for (const source of all) source.close();
  }
}

/** Merges rows until an output is full or a source needs its next window: the first one of a side. Tells which sides need one. */
function mergeStep(
  open: RowSource[],
  ended: RowSource[],
  { alive, history, tombstones }: Outputs,
): { open: boolean; ended: boolean } {
  for (;;) {
    const row = open[0];
    const tombstone = ended[0];
    const order = row === undefined ? 1 : tombstone === undefined ? -1 : compareRows(row, tombstone);
    if (order < 0) row!.position = alive.take(row!.columns, row!.position, endOfStretch(row!, open[1], tombstone));
    else {
      const to = tombstone!.columns[5][tombstone!.position]!;
      if (order > 0) tombstones.push(tombstone!.columns, tombstone!.position, to);
      else if (to > row!.columns[4][row!.position]!) history.push(row!.columns, row!.position, to);
    }
    if (order === 0) row!.position++;
    if (order >= 0) tombstone!.position++;
    const openDone = order <= 0 && row!.position >= row!.length;
    const endedDone = order >= 0 && tombstone!.position >= tombstone!.length;
    if (order <= 0 && !openDone) settleFirst(open);
    if (order >= 0 && !endedDone) settleFirst(ended);
    if (openDone || endedDone || alive.full || history.full || tombstones.full)
      return { open: openDone, ended: endedDone };
  }
}

// The end of the rows of a source that come before the rows of all others. In runs of similar age many such rows are
// adjacent.
function endOfStretch(row: RowSource, second: RowSource | undefined, tombstone: RowSource | undefined): number {
  let end = row.length;
  if (tombstone !== undefined) end = firstFrom(row, end, tombstone);
  if (second !== undefined) end = firstFrom(row, end, second);
  // Of equal rows, one is taken first.
  return Math.max(end, row.position + 1);
}

/** Reads the next window of the first source, and removes the source if it has ended. */
async function refillFirst(sources: RowSource[]): Promise<void> {
  const source = sources[0]!;
  if (await filled(source)) return settleFirst(sources);
  source.close();
  sources.shift();
}

/** Reads the next window of a source. Returns false at its end. */
async function filled(source: RowSource): Promise<boolean> {
  for (;;) {
    const rows = source.fill();
    if (rows !== MISS) return rows > 0;
    const { run, block } = source.missing();
    await run.cache.fetch(run.source, [block]);
  }
}
