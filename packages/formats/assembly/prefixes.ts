/** The prefixes that a Turtle document has declared so far. Long ones are left out: their names are the parser's to read. */
import { forgetAll } from './slots';
import { copyBytes } from './spans';

const MAX_PREFIXES: i32 = 64;
const MAX_NAME: usize = 16;
/** A prefix: its name with the colon and zeros behind it, the length of the namespace, `<` and the namespace. */
const ENTRY_BYTES: usize = 256;
const LENGTH: usize = 16;
const NAMESPACE: usize = 20;
/** Up to fifteen bytes more are copied. */
const MAX_NAMESPACE: usize = 220;
const PREFIXES: usize = memory.data(16384, 16);
/** Where the caller leaves name and namespace. */
const DECLARED: usize = memory.data(512, 16);
/** Sixteen bytes that are all ones, and as many zeros. */
const MASKS: usize = memory.data(32, 16);
v128.store(MASKS, i8x16.splat(-1));

let count: i32 = 0;
/** The prefix that was asked for last. */
let last: usize = PREFIXES;

export function declared(): usize {
  return DECLARED;
}

/** Declares a prefix of at most {@link MAX_NAME} bytes, or declares it anew. There is a `<` before the namespace. */
export function declare(nameBytes: usize, namespaceBytes: usize): void {
  const before = prefixOf(DECLARED, nameBytes);
  if (before != 0) {
    // No name is like this.
    v128.store(before, i8x16.splat(-1));
    forgetAll();
  }
  if (namespaceBytes > MAX_NAMESPACE || count == MAX_PREFIXES) return;
  const entry = PREFIXES + <usize>count * ENTRY_BYTES;
  count++;
  v128.store(entry, nameAt(DECLARED, nameBytes));
  store<u32>(entry, <u32>namespaceBytes, LENGTH);
  memory.copy(entry + NAMESPACE, DECLARED + nameBytes, namespaceBytes);
}

/** The prefix with this name; 0 where it is not known. */
export function prefixOf(start: usize, length: usize): usize {
  if (length > MAX_NAME) return 0;
  const name = nameAt(start, length);
  if (isNamed(last, name)) return last;
  for (let i = 0; i < count; i++) {
    const entry = PREFIXES + <usize>i * ENTRY_BYTES;
    if (isNamed(entry, name)) return (last = entry);
  }
  return 0;
}

export function namespaceBytes(prefix: usize): usize {
  return load<u32>(prefix, LENGTH);
}

/** Writes the IRI of a name, with `<` and `>`, and returns where it ends. */
export function copyIri(prefix: usize, localStart: usize, localEnd: usize, to: usize): usize {
  const length = namespaceBytes(prefix);
  copyBytes(prefix + NAMESPACE, to, length);
  copyBytes(localStart, to + length, localEnd - localStart);
  const end = to + length + localEnd - localStart;
  store<u8>(end, 0x3e);
  return end + 1;
}

function nameAt(start: usize, length: usize): v128 {
  return v128.and(v128.load(start), v128.load(MASKS + MAX_NAME - length));
}

function isNamed(prefix: usize, name: v128): bool {
  return !v128.any_true(v128.xor(v128.load(prefix), name));
}
