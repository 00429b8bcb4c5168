/** The counts of bytes that the threads of this process share: see SharedBytes. */
import { processMemory, SharedBytes } from '@quadrille/sparql';

/** Threads of all databases of the process. The main thread has slot 0. */
const SLOTS = 256;

export const columnCounts = new Int32Array(new SharedArrayBuffer(SLOTS * 4));
export const valueCounts = new Int32Array(new SharedArrayBuffer(SLOTS * 4));
processMemory.columns.share(new SharedBytes(columnCounts, 0));
processMemory.values.share(new SharedBytes(valueCounts, 0));

const free = Array.from({ length: SLOTS - 1 }, (_, i) => SLOTS - 1 - i);

/** The place of one thread in the counts. */
export class MemorySlot {
  readonly #counts: readonly SharedBytes[];

  private constructor(readonly number: number) {
    this.#counts = [new SharedBytes(columnCounts, number), new SharedBytes(valueCounts, number)];
  }

  /** `undefined` if too many threads run. */
  static take(): MemorySlot | undefined {
    const number = free.pop();
    return number === undefined ? undefined : new MemorySlot(number);
  }

  /** Bytes that the thread holds. */
  get used(): number {
    return this.#counts.reduce((sum, { held }) => sum + held, 0);
  }

  /** Call it when the thread has ended. */
  giveBack(): void {
    for (const count of this.#counts) count.held = 0;
    free.push(this.number);
  }
}
