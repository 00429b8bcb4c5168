/** Lists whose document has a bound in bytes. */
import { platform } from '../../host/index.js';

/** Of a whole document. A term may have 16 MiB. */
export const MOST_BYTES = 4 * 1024 ** 2;

/** A term with the number of statements that have it. */
export interface TermCount {
  /** In the syntax of N-Triples. */
  readonly term: string;
  readonly count: number;
}

/** Counts the bytes of lists. One that does not fit is not added, nor are those after it in its list. */
export class Bounded {
  #left = MOST_BYTES;

  /** The first items of a list, as far as they fit. */
  async take(items: AsyncIterable<TermCount>): Promise<TermCount[]> {
    const taken: TermCount[] = [];
    for await (const item of items) {
      this.#left -= platform.byteLength(JSON.stringify(item)) + 1;
      if (this.#left < 0) break;
      taken.push(item);
    }
    return taken;
  }
}
