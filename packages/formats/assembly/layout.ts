/** The memory of the module, and what the statements look like that are left in it. */

/** Words of a statement, four bytes each. */
export const RECORD_BYTES: usize = 40;
export const MAX_RECORDS: i32 = 4096;
export const RECORDS: usize = memory.data(163840, 16);
const INPUT_BYTES: usize = 524288;
/** Loads of sixteen bytes may begin at the last one. */
const INPUT: usize = memory.data(524352, 16);

export function inputStart(): usize {
  return INPUT;
}

export function inputBytes(): usize {
  return INPUT_BYTES;
}

/**
 * Where statements are left, each as ten words: subject from and to (0: that of the statement before), slot of the predicate,
 * predicate from and to, object from and to, slot of the graph, graph from (0: none) and to.
 */
export function records(): usize {
  return RECORDS;
}

export function storeSpan(at: usize, slot: u32, start: usize, end: usize): void {
  store<u32>(at, slot);
  store<u32>(at, <u32>start, 4);
  store<u32>(at, <u32>end, 8);
}
