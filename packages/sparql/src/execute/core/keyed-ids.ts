/** Literals by the index of order, as many as the memory of a query holds. */
import type { KeyedIds, KeyRange } from '../../dataset/id-dataset.js';
import type { Execution } from './operator.js';
import type { Waiting } from './waiting.js';

/** Of a literal: its id and key, and what is made of them. */
const LITERAL_BYTES = 16;

/** How many literals have keys in some ranges; `undefined`: no index tells. */
export function* countKeys(ranges: Iterable<KeyRange>, { dataset }: Execution): Waiting<number | undefined> {
  if (dataset.countKeys === undefined || dataset.keysBetween === undefined) return undefined;
  let all = 0;
  for (const range of ranges) {
    const count = (yield dataset.countKeys(range)) as number | undefined;
    if (count === undefined) return undefined;
    all += count;
  }
  return all;
}

/** The literals with keys in a range; `undefined`: no index tells. @throws EvaluationError `QUERY_MEMORY` */
export function* keysBetween(range: KeyRange, execution: Execution): Waiting<KeyedIds | undefined> {
  const { dataset, control, memory } = execution;
  const count = yield* countKeys([range], execution);
  if (count === undefined) return undefined;
  const bytes = count * LITERAL_BYTES;
  memory.reserve(bytes);
  try {
    return (yield dataset.keysBetween!(range, control)) as KeyedIds | undefined;
  } finally {
    memory.release(bytes);
  }
}
