/** Texts of predicates and graph names that were seen, in numbered slots: whoever reads the statements knows their terms. */
import { iriEnd, sameBytes } from './spans';

/** Slot 0 stands for those that are too long to be kept. */
const SLOTS: u32 = 1024;
const SLOT_BYTES: usize = 256;
/** A slot: length of the text (0: free), the slot that came next the last time, the text. */
export const NEXT: usize = 4;
const TEXT: usize = 8;
const MAX_TEXT: usize = SLOT_BYTES - TEXT;
/** Added to a slot's number where the text has just come in. */
export const FRESH: u32 = 0x8000_0000;

const KNOWN: usize = memory.data(262144, 16);

/** Where the text ends that {@link known} was asked for; 0 where it is none. */
export let knownEnd: usize = 0;

/** The slot of the IRI at `start`, which may well be the one in `expected`; {@link knownEnd} is 0 where it is none. */
export function known(start: usize, expected: u32): u32 {
  if (isExpected(start, expected)) return expected;
  knownEnd = iriEnd(start);
  return knownEnd == 0 ? 0 : slotFor(start, knownEnd);
}

/** Whether the text at `start` is the one in this slot; {@link knownEnd} is where it ends then. */
export function isExpected(start: usize, slot: u32): bool {
  const guess = slotOf(slot);
  const length = <usize>load<u32>(guess);
  if (length == 0 || !sameBytes(start, guess + TEXT, length)) return false;
  knownEnd = start + length;
  return true;
}

/** The slot of a text; {@link FRESH} where it had none. */
export function slotFor(start: usize, end: usize): u32 {
  const length = end - start;
  if (length > MAX_TEXT) return FRESH;
  const number = 1 + (hashOf(start, end) % (SLOTS - 1));
  const slot = slotOf(number);
  if (<usize>load<u32>(slot) == length && sameBytes(start, slot + TEXT, length)) return number;
  store<u32>(slot, <u32>length);
  store<u32>(slot, 0, NEXT);
  memory.copy(slot + TEXT, start, length);
  return number | FRESH;
}

export function forget(number: u32): void {
  store<u32>(slotOf(number), 0);
}

export function forgetAll(): void {
  for (let number: u32 = 0; number < SLOTS; number++) forget(number);
}

export function slotOf(number: u32): usize {
  return KNOWN + <usize>(number & ~FRESH) * SLOT_BYTES;
}

function hashOf(start: usize, end: usize): u32 {
  const length = end - start;
  let letters: u32 = 0;
  // Names of one vocabulary share their start: the end tells them apart.
  if (length >= 9) letters = load<u32>(end - 5) ^ (load<u32>(end - 9) * 0x85ebca6b) ^ load<u32>(start + (length >> 1));
  else for (let at = start; at < end; at++) letters = letters * 31 + load<u8>(at);
  return ((letters + <u32>length) * 0x9e3779b1) >> 12;
}
