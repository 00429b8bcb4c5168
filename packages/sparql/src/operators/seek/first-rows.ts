/** The first rows of an input, for one operator, and the rest of them for another. */
import { BATCH_ROWS, type Batch } from '../../execute/core/batch.js';
import type { NextBatch, Operator } from '../../execute/core/operator.js';

/** Passes on whole batches until they have the wanted number of rows. The input stays open for the operator that reads the rest. */
export class FirstRows implements Operator {
  #handedOn = 0;
  /** What came after the first rows. */
  #next: Batch | undefined;
  #isTaken = false;

  constructor(
    private readonly input: Operator,
    private readonly most: number,
  ) {}

  next(want?: number): NextBatch {
    if (this.#next !== undefined) return undefined;
    const next = this.input.next(want);
    return next instanceof Promise ? next.then(this.#receive) : this.#receive(next);
  }

  readonly #receive = (batch: Batch | undefined): Batch | undefined => {
    if (batch === undefined || this.#handedOn < this.most) {
      this.#handedOn += batch?.length ?? 0;
      return batch;
    }
    this.#next = batch;
    return undefined;
  };

  /** The rest of the rows, where there are any: once. Until then, closing this closes the input. */
  takeRest(): Operator | undefined {
    const next = this.#next;
    this.#next = undefined;
    this.#isTaken ||= next !== undefined;
    return next && new Preceded(next, this.input);
  }

  // Two who close the input would close the end of a chain of such inputs 2^n times.
  close(): void {
    if (!this.#isTaken) this.input.close();
  }
}

/** Rows that were read already, and then those of the input. */
export class Preceded implements Operator {
  #first: Batch | undefined;

  constructor(
    first: Batch,
    private readonly input: Operator,
  ) {
    this.#first = first;
  }

  next(want = BATCH_ROWS): NextBatch {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.input.next(want);
  }

  close(): void {
    this.input.close();
  }
}
