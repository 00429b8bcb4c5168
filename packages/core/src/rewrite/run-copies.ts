/** Copies runs of a line without some of their rows. The copies have no effect before the manifest and the log name them. */
import { RunOutput } from '../index/merge/merge-runs.js';
import { batches, wholeRuns } from '../index/read/batches.js';
import type { RowBatch } from '../index/read/merge-scan.js';
import type { PayloadRun, Run, RunEntry } from '../index/run/run.js';
import type { RunSession } from '../index/run/run-session.js';
import { openRun } from '../index/run/run-writer.js';
import type { Pacer } from '../runtime/env.js';

/** Whether the copies lack a row. */
export type DropsRow = (s: number, p: number, o: number, g: number, from: number, to: number) => boolean;

/** What stands in the place of a run: `by` is missing if nothing is left of it. */
export interface ReplacedRun {
  readonly by: { readonly run: Run; readonly payload: PayloadRun } | undefined;
}

export class RunCopies {
  /** By the numbers of the runs. `undefined` for a run whose rows all stay. */
  readonly #done = new Map<number, ReplacedRun | undefined>();
  bytesWritten = 0;

  constructor(
    private readonly session: RunSession,
    private readonly drops: DropsRow,
    private readonly pacer: Pacer,
  ) {}

  /** The runs that are replaced, by their numbers. */
  get replaced(): ReadonlyMap<number, ReplacedRun> {
    const found = [...this.#done].filter((entry): entry is [number, ReplacedRun] => entry[1] !== undefined);
    return new Map(found);
  }

  /** `undefined` if all rows of the run stay. A run of the index may also be one of the log: it is copied once. */
  async of(entry: RunEntry): Promise<ReplacedRun | undefined> {
    const { id } = entry;
    if (!this.#done.has(id)) this.#done.set(id, (await this.#isHit(entry)) ? await this.#copy(entry) : undefined);
    return this.#done.get(id);
  }

  async #isHit(entry: RunEntry): Promise<boolean> {
    const drops = this.#dropsIn(entry);
    for await (const { columns, start, end } of this.#rows(entry))
      for (let row = start; row < end; row++) if (drops(columns, row)) return true;
    return false;
  }

  async #copy(entry: RunEntry): Promise<ReplacedRun> {
    const drops = this.#dropsIn(entry);
    const output = new RunOutput(this.session, entry.order, entry.kind);
    for await (const { columns, start, end } of this.#rows(entry)) {
      for (let row = start; row < end; row++) {
        // Nearly all rows stay, so stretches of them are copied at once.
        let dropped = row;
        while (dropped < end && !drops(columns, dropped)) dropped++;
        while (row < dropped) {
          row = output.take(columns, row, dropped);
          if (output.full) await output.flush();
        }
      }
    }
    const written = await output.end(entry.logOwned);
    this.bytesWritten += output.writtenBytes;
    if (written === undefined) return { by: undefined };
    const { run, digest } = written;
    return { by: { run, payload: { run: run.entry.id, rows: run.entry.rows, digest } } };
  }

  #dropsIn({ order }: RunEntry): (columns: RowBatch['columns'], row: number) => boolean {
    const [s, p, o, g] = order.places as readonly [0, 1, 2, 3];
    return (columns, row) =>
      this.drops(
        columns[s][row]!,
        columns[p][row]!,
        columns[o][row]!,
        columns[g][row]!,
        columns[4][row]!,
        columns[5][row]!,
      );
  }

  // The rows as the blocks have them: those of a run that was published later have a placeholder.
  async *#rows(entry: RunEntry): AsyncGenerator<RowBatch> {
    yield* batches(wholeRuns([await openRun(this.session.keyspace, { ...entry, revision: 0 })]), this.pacer);
  }
}
