/** The memory budget of one evaluation: the bytes that its operators hold at the same time. */
import { EvaluationError } from '@quadrille/model';
import type { MemoryHolder, Pool, ProcessMemory } from './process-memory.js';

/** Bytes that are taken from the process at once. */
const STEP_BYTES = 64 * 1024;
/** Freed memory that is kept for the next reservation: bytes, and the divisor of the budget that bounds it. */
const KEPT_BYTES = 4 * STEP_BYTES;
const KEPT_SHARE = 16;

/** Characters of one text, and which part of the budget it may take. */
const MOST_CHARACTERS = 16 * 1024 ** 2;
const TEXT_SHARE = 4;
/** Bytes of a character, and of a value beside its text. */
const CHARACTER_BYTES = 2;
export const VALUE_BYTES = 96;

/** The bytes of a value with a text of this length. */
export const textBytes = (length: number): number => length * CHARACTER_BYTES + VALUE_BYTES;

export interface MemoryOptions {
  /** What it is a part of. Without it, it has a budget of its own only. */
  readonly process?: ProcessMemory | undefined;
  /** Bytes that the evaluation may hold. Default: its share of the process. */
  readonly budgetBytes?: number | undefined;
  /** Ends the evaluation where it is the largest one and the process has no memory left. */
  readonly end?: ((error: EvaluationError) => void) | undefined;
}

/** What an evaluation holds of one pool. */
class Holding {
  used = 0;
  /** What was taken from the pool: at least as much. */
  taken = 0;

  constructor(
    readonly pool: Pool | undefined,
    readonly limitBytes: number,
  ) {}
}

export class Memory implements MemoryHolder {
  readonly budgetBytes: number;
  readonly #process: ProcessMemory | undefined;
  readonly #end: ((error: EvaluationError) => void) | undefined;
  readonly #columns: Holding;
  readonly #values: Holding;
  #peak = 0;
  readonly #keptBytes: number;
  #closed = false;

  constructor({ process, budgetBytes, end }: MemoryOptions = {}) {
    this.#process = process;
    this.#end = end;
    this.budgetBytes = budgetBytes ?? process?.queryBytes ?? Infinity;
    const share = (pool: Pool | undefined): number =>
      budgetBytes === undefined && pool !== undefined ? process!.queryShare(pool) : Infinity;
    this.#keptBytes = Math.min(KEPT_BYTES, this.budgetBytes / KEPT_SHARE);
    this.#columns = new Holding(process?.columns, share(process?.columns));
    this.#values = new Holding(process?.values, share(process?.values));
    process?.open(this);
  }

  /** Bytes in use. */
  get used(): number {
    return this.#columns.used + this.#values.used;
  }

  get usedBytes(): number {
    return this.used;
  }

  get peak(): number {
    return Math.max(this.#peak, this.used);
  }

  /** The most characters that one text may have. */
  get mostCharacters(): number {
    return Math.min(MOST_CHARACTERS, Math.floor((this.budgetBytes / TEXT_SHARE - VALUE_BYTES) / CHARACTER_BYTES));
  }

  /**
   * Counts bytes of columns that an operator is about to allocate.
   * @throws EvaluationError `QUERY_MEMORY`; nothing is counted then
   */
  reserve(bytes: number): void {
    this.#reserve(this.#columns, bytes);
  }

  release(bytes: number): void {
    this.#release(this.#columns, bytes);
  }

  /** The same for values, which lie in the heap. */
  reserveValues(bytes: number): void {
    this.#reserve(this.#values, bytes);
  }

  releaseValues(bytes: number): void {
    this.#release(this.#values, bytes);
  }

  #reserve(holding: Holding, bytes: number): void {
    const used = holding.used + bytes;
    if (used > holding.taken) this.#take(holding, used);
    holding.used = used;
  }

  #take(holding: Holding, used: number): void {
    const other = holding === this.#columns ? this.#values : this.#columns;
    if (used > this.budgetBytes - other.taken) this.#give(other, other.taken - other.used);
    const budget = Math.min(holding.limitBytes, this.budgetBytes - other.taken);
    if (used > budget) throw this.#tooMuch(used > holding.limitBytes ? holding.limitBytes : this.budgetBytes);
    // What goes on after its end is as good as over.
    if (this.#closed) return;
    const ahead = Math.min(budget, Math.ceil(used / STEP_BYTES) * STEP_BYTES);
    const more = ahead - holding.taken;
    if (holding.pool !== undefined) this.#process!.take(holding.pool, more, this, ahead);
    holding.taken += more;
  }

  #release(holding: Holding, bytes: number): void {
    this.#peak = this.peak;
    holding.used -= bytes;
    const spare = holding.taken - holding.used;
    if (spare <= this.#keptBytes || this.#closed) return;
    this.#give(holding, spare - this.#keptBytes / 2);
  }

  #give(holding: Holding, bytes: number): void {
    if (holding.pool !== undefined) this.#process!.give(holding.pool, bytes);
    holding.taken -= bytes;
  }

  #tooMuch(limitBytes: number): EvaluationError {
    const megabytes = Math.round(limitBytes / 1024 ** 2);
    return new EvaluationError('QUERY_MEMORY', `the evaluation needs more than its ${megabytes} MB of memory`, {
      details: { budgetBytes: limitBytes },
    });
  }

  end(error: EvaluationError): void {
    this.#end?.(error);
  }

  /** Gives everything back to the process: the evaluation is over, however it ended. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const holding of [this.#columns, this.#values]) this.#give(holding, holding.taken);
    this.#process?.close(this);
  }
}
