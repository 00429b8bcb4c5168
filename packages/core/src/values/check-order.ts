/** Compares the index of order with the literals that it was made of, by sums: neither side is held in memory. */
import { CorruptionError } from '@quadrille/model';
import { Family, familyOf, orderKey } from '@quadrille/model/order-key';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { Pacer } from '../runtime/env.js';
import { OrderIndex } from './order-index.js';
import { isKeyed, type OrderRun } from './order-run.js';
import { eachTerm } from './value-index.js';
import { ValueSum } from './value-sum.js';

/** The sum of keys: a key is a value of 9 bytes. */
class KeySum extends ValueSum {
  readonly #bytes = new Uint8Array(9);
  readonly #view = new DataView(this.#bytes.buffer);

  addKey(family: number, key: number, id: number): void {
    this.#view.setUint8(0, family);
    this.#view.setFloat64(1, key);
    this.add(this.#bytes, this.#bytes.length, id, 0);
  }
}

/**
 * Reads all runs of the index on disk, and all literals that it covers. Returns the number of entries.
 * @throws CorruptionError `INDEX_DISAGREES`
 */
export async function checkOrder(dictionary: Dictionary, pacer: Pacer): Promise<number> {
  const { runs, release } = (await OrderIndex.open(dictionary)).stored();
  let count = 0;
  try {
    for (const run of runs) count += await checkRun(dictionary, run, pacer);
  } finally {
    release();
  }
  return count;
}

async function checkRun(dictionary: Dictionary, run: OrderRun, pacer: Pacer): Promise<number> {
  const { id: number, from, to, pages } = run.entry;
  const stored = new KeySum();
  let [lastFamily, lastKey, isSorted] = [-1, 0, true];
  for (let page = 0; page < pages; page++) {
    const { families, keys, ids, length } = await run.page(page);
    for (let i = 0; i < length; i++) {
      const [family, key] = [families[i]!, keys[i]!];
      if (family < lastFamily || (family === lastFamily && key < lastKey)) isSorted = false;
      [lastFamily, lastKey] = [family, key];
      stored.addKey(family, key, ids[i]!);
    }
    if (pacer.due()) await pacer.pause();
  }
  const made = new KeySum();
  const keyed = await run.keyed();
  let isKeyedWrong = false;
  const take = (id: number, term: Uint8Array): void => {
    const family = familyOf(term);
    if (family !== -1) made.addKey(family, orderKey, id);
    if (isKeyed(keyed, id - from) !== (family !== -1 && family !== Family.others)) isKeyedWrong = true;
  };
  await eachTerm(dictionary, from, to, take, undefined, pacer);
  if (isSorted && !isKeyedWrong && stored.equals(made)) return made.count;
  const problem = `run ${number} of the index of order has other values than the literals ${from} to ${to}: rebuild makes it again`;
  throw new CorruptionError('INDEX_DISAGREES', problem);
}
