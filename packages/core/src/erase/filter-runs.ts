/** Copies runs without the erased rows. The copies have no effect before the manifest and the log name them. */
import type { PayloadRun } from '../index/run/run.js';
import { MISS } from '../keyspace/block-cache.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RowColumns } from '../index/block/block-codec.js';
import { newRowColumns } from '../index/block/block-codec.js';
import { EVERYTHING, RunSource } from '../index/read/row-source.js';
import type { RunEntry } from '../index/run/run.js';
import type { RunSession } from '../index/run/run-session.js';
import { openRun, RunWriter } from '../index/run/run-writer.js';
import type { Pacer } from '../runtime/env.js';
import type { Matches } from './selection.js';

/** What is left of a run. `by` is missing if nothing is. */
export interface FilteredRun {
  readonly by: PayloadRun | undefined;
}

interface Window {
  readonly columns: RowColumns;
  readonly start: number;
  readonly end: number;
}

/** Filters the runs of one line. A run of the index may also be one of the log. */
export class RunFilter {
  /** By the numbers of the runs. `undefined` for a run without erased rows. */
  readonly #done = new Map<number, FilteredRun | undefined>();
  bytesWritten = 0;

  constructor(
    private readonly keyspace: Keyspace,
    private readonly session: RunSession,
    private readonly matches: Matches,
    private readonly pacer: Pacer,
  ) {}

  /** The runs that are replaced. */
  get replaced(): ReadonlyMap<number, FilteredRun> {
    const found = [...this.#done].filter((entry): entry is [number, FilteredRun] => entry[1] !== undefined);
    return new Map(found);
  }

  /** The entry of the manifest in place of this one; `undefined` if nothing is left. */
  async entry(entry: RunEntry): Promise<RunEntry | undefined> {
    const filtered = await this.filter(entry);
    if (filtered === undefined) return entry;
    const { by } = filtered;
    return by && { ...entry, id: by.run, rows: by.rows };
  }

  async filter(entry: RunEntry): Promise<FilteredRun | undefined> {
    const { id } = entry;
    if (!this.#done.has(id)) this.#done.set(id, (await this.#isHit(entry)) ? await this.#copy(entry) : undefined);
    return this.#done.get(id);
  }

  async #isHit(entry: RunEntry): Promise<boolean> {
    const places = entry.order.places;
    for await (const { columns, start, end } of this.#windows(entry)) {
      const [s, p, o, g] = [0, 1, 2, 3].map((position) => columns[places[position]!]!);
      for (let row = start; row < end; row++) if (this.matches(s![row]!, p![row]!, o![row]!, g![row]!)) return true;
    }
    return false;
  }

  async #copy(entry: RunEntry): Promise<FilteredRun> {
    const { keyspace, session } = this;
    const places = entry.order.places;
    const batch = new BatchWriter(keyspace);
    const kept = newRowColumns(WINDOW_ROWS);
    let writer: RunWriter | undefined;
    for await (const { columns, start, end } of this.#windows(entry)) {
      const [s, p, o, g] = [0, 1, 2, 3].map((position) => columns[places[position]!]!);
      for (let row = start; row < end;) {
        let count = 0;
        for (; row < end && count < WINDOW_ROWS; row++) {
          if (this.matches(s![row]!, p![row]!, o![row]!, g![row]!)) continue;
          for (let column = 0; column < 6; column++) kept[column]![count] = columns[column]![row]!;
          count++;
        }
        if (count === 0) continue;
        writer ??= new RunWriter(keyspace, batch, await session.take(), entry.order, entry.kind);
        if (writer.append(kept, 0, count)) await batch.send();
      }
    }
    if (writer === undefined) return { by: undefined };
    const { run, digest } = await writer.finish({ revision: 0, logOwned: entry.logOwned });
    this.bytesWritten += batch.writtenBytes;
    return { by: { run: run.entry.id, rows: run.entry.rows, digest } };
  }

  // The rows as the blocks have them: those of a run that was published later have a placeholder.
  async *#windows(entry: RunEntry): AsyncGenerator<Window> {
    const run = await openRun(this.keyspace, { ...entry, revision: 0 });
    const source = new RunSource(run, [], 0, { range: EVERYTHING, filters: [], revisions: true });
    try {
      for (;;) {
        const rows = source.fill();
        if (rows === 0) return;
        if (rows === MISS) {
          const missing = source.missing();
          await missing.run.cache.fetch(missing.run.source, [missing.block]);
          continue;
        }
        yield { columns: source.columns, start: source.position, end: source.length };
        source.position = source.length;
        if (this.pacer.due()) await this.pacer.pause();
      }
    } finally {
      source.close();
    }
  }
}

const WINDOW_ROWS = 2048;
