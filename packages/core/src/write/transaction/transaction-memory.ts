/** The memory of the changes that all open transactions of the process stage. They lie in the heap, which all stores share. */
import { EvaluationError } from '@quadrille/model';

/** A transaction with less is small. All small ones together may have so much beyond the limit. */
const SMALL_BYTES = 1024 * 1024;
const SMALL_SHARE = 1 / 8;

export class TransactionMemory {
  #taken = 0;

  constructor(
    /** Estimated bytes that all transactions may have together. */
    public limitBytes = 1024 ** 3,
  ) {}

  /** Estimated bytes that all transactions have. */
  get takenBytes(): number {
    return this.#taken;
  }

  /**
   * Counts what a transaction has now, and had before. A small one gets what it needs although large ones have taken the rest.
   * @throws EvaluationError `QUERY_MEMORY` where it has more than before and all together have too much; it is counted all the same
   */
  change(before: number, now: number): void {
    this.#taken += now - before;
    const limit = this.limitBytes * (now < SMALL_BYTES ? 1 + SMALL_SHARE : 1);
    if (now <= before || this.#taken <= limit) return;
    const megabytes = Math.round(this.limitBytes / 1024 ** 2);
    throw new EvaluationError(
      'QUERY_MEMORY',
      `the changes of open transactions take more than ${megabytes} MB of memory: commit them in parts, or load them`,
      { details: { transactionBytes: this.limitBytes } },
    );
  }
}

/** The memory of this process. */
export const transactionMemory = new TransactionMemory();
