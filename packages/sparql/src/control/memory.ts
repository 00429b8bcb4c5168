/** The memory budget of one evaluation: the bytes that its operators hold at the same time. */
import { EvaluationError } from '@quadrille/model';

export class Memory {
  /** Bytes in use. */
  used = 0;
  peak = 0;

  constructor(readonly budgetBytes: number) {}

  /**
   * Counts bytes that an operator is about to allocate.
   * @throws EvaluationError `QUERY_MEMORY`
   */
  reserve(bytes: number): void {
    this.used += bytes;
    if (this.used > this.peak) this.peak = this.used;
    if (this.used <= this.budgetBytes) return;
    const megabytes = Math.round(this.budgetBytes / 1024 / 1024);
    throw new EvaluationError('QUERY_MEMORY', `the evaluation needs more than its ${megabytes} MB of memory`, {
      details: { budgetBytes: this.budgetBytes },
    });
  }

  release(bytes: number): void {
    this.used -= bytes;
  }
}
