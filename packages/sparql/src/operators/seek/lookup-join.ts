/** Joins each row of an input with what is looked up for it: what seeks and stars have in common. */
import { BatchMemory, gather, rowsOfWidth, type Batch } from '../../execute/core/batch.js';
import { stepped, type Execution, type NextBatch, type Operator, type Step } from '../../execute/core/operator.js';
import { isWhole, placesOf } from '../../execute/core/places.js';
import { Ramp } from '../../execute/core/ramp.js';

/** `miss`: something has to be fetched first. `more`: there is time to look at the clock. `enough`: rows can be taken. */
export type Found = 'miss' | 'more' | 'enough';

/** Rows for which a fetch, which may be a round trip, brings in what they need. */
const ROWS_AHEAD = 64;

/** In place of a column that is not copied from the input. */
const UNREAD = new Uint32Array(0);

export abstract class LookupJoin implements Operator {
  /** The first row of the batch that is not looked up yet. */
  protected row = 0;
  /** Rows of the next batch. */
  protected room = 0;
  /** Where the rows end that are only tested for the next batch. */
  protected end = 0;
  /** For each output column: the input column to copy, or -1. There may be thousands. */
  protected readonly inputs: readonly number[];
  protected readonly most: number;
  protected readonly made: BatchMemory;
  readonly #ramp: Ramp;
  #batch: Batch | undefined;
  #ended = false;

  constructor(
    variables: readonly string[],
    columns: readonly string[],
    private readonly input: Operator,
    protected readonly execution: Execution,
  ) {
    this.inputs = placesOf(variables, columns);
    this.most = rowsOfWidth(variables.length);
    this.made = new BatchMemory(execution.memory);
    this.#ramp = new Ramp(variables.length);
  }

  /** Looks rows up until there are enough for the next batch, or all are used. */
  protected abstract find(batch: Batch): Found;
  /** What {@link find} missed, and what the next rows will need. */
  protected abstract fetch(batch: Batch): Promise<void>;
  /** The rows that were found. */
  protected abstract take(batch: Batch): Batch;
  /** Whether rows were found that did not fit into the last batch. */
  protected abstract readonly isLeft: boolean;

  /** The row behind those for which something is fetched ahead. */
  protected endOfAhead(batch: Batch): number {
    return Math.min(batch.length, this.row + Math.min(this.room, ROWS_AHEAD));
  }

  /** No row of the input has a match: it is not read. */
  protected skipInput(): void {
    this.#ended = true;
  }

  next(want = this.most): NextBatch {
    this.#aim(want);
    return stepped(this.#step);
  }

  #aim(want: number): void {
    this.room = this.#ramp.next(want);
    this.end = this.row + this.room;
  }

  readonly #step = (): Step => {
    for (;;) {
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) return pause;
      const batch = this.#batch;
      if (batch === undefined) {
        if (this.#ended) return undefined;
        const next = this.input.next(this.room);
        if (next instanceof Promise) return next.then(this.#receive);
        this.#receive(next);
        continue;
      }
      const found = this.find(batch);
      if (found === 'miss') return this.fetch(batch);
      if (found === 'more') continue;
      const joined = this.take(batch);
      if (this.row >= batch.length && !this.isLeft) this.#batch = undefined;
      if (joined.length > 0) return joined;
      this.#aim(this.room);
    }
  };

  readonly #receive = (batch: Batch | undefined): void => {
    this.#batch = batch;
    this.#ended = batch === undefined;
    this.row = 0;
    this.end = this.room;
  };

  /** The columns of the input for these rows of it, and room for `others`. Where each row stands once, they are handed on. */
  protected copied({ columns, length }: Batch, rows: Uint32Array, count: number, others: number): Uint32Array[] {
    const isSame = isWhole(rows, count, length);
    this.made.reserve(count, isSame ? others : this.inputs.length, this.inputs.length);
    return this.inputs.map((input) => {
      if (input === -1) return UNREAD;
      const column = columns[input]!;
      return isSame ? column : gather(column, rows, count);
    });
  }

  close(): void {
    this.made.free();
    this.input.close();
  }
}
