/**
 * An operator that is opened and read on a stack of its own. Joins of thousands of patterns nest as many operators. Other
 * operators wait here until their code is loaded.
 */
import type { EvaluationControl } from '../../control/control.js';
import type { Batch } from './batch.js';
import type { Operator } from './operator.js';

export class Later implements Operator {
  #operator: Operator | undefined;
  #closed = false;

  constructor(
    private readonly open: () => Operator | Promise<Operator>,
    private readonly control: EvaluationControl,
  ) {}

  async next(want?: number): Promise<Batch | undefined> {
    // Waiting ends the stack, also where there is no pause.
    await this.control.checkpoint();
    if (this.#closed) return undefined;
    this.#operator ??= await this.open();
    if (!this.#closed) return this.#operator.next(want);
    closeInTurn(this.#operator);
    return undefined;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#operator !== undefined) closeInTurn(this.#operator);
  }
}

/** What is still to be closed, while something is being closed. */
let closing: Operator[] | undefined;

/** Closes operators one after the other where thousands stand in one another. */
function closeInTurn(operator: Operator): void {
  if (closing !== undefined) {
    closing.push(operator);
    return;
  }
  closing = [operator];
  try {
    for (let next = closing.pop(); next !== undefined; next = closing.pop()) next.close();
  } finally {
    closing = undefined;
  }
}
