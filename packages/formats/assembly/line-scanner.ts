/**
 * Finds the terms of N-Triples and N-Quads, and of the rows of patches that are such lines behind a letter.
 *
 * It knows only lines as programs write them, with canonical terms, and stops at every other one: line-parser.ts reads
 * that one, and is where the grammar stands in full. So nothing is refused here, and whatever is taken is what the
 * parser would have taken.
 *
 * The bytes that are read end with a line end, at which every loop stops.
 */
import { MAX_RECORDS, RECORD_BYTES, RECORDS, storeSpan } from './layout';
import { forget, FRESH, known, knownEnd, NEXT, slotOf } from './slots';
import {
  AT,
  CARET,
  COLON,
  DOT,
  HYPHEN,
  ING_GREATER,
  iriEnd,
  isLabelByte,
  languageEnd,
  LESS,
  QUOTE,
  sameBytes,
  stringEnd,
  UNDERSCORE,
} from './spans';

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

/** Where the scan stopped: the start of a line that it does not know, or the end. */
export let stopped: usize = 0;

/** The subject of the line before, with the space behind it, so that no longer term begins like it; 0 bytes: none. */
let subject: usize = 0;
let subjectBytes: usize = 0;
/** The slots that the line before named, {@link FRESH} where it filled them. */
let predicate: u32 = 0;
let graph: u32 = 0;

/**
 * Reads lines from `from` on and returns how many statements it found; `quads`: lines may name a graph. `operation`: the byte with
 * which each line begins, as a row of a patch does, or 0.
 */
export function scan(from: usize, to: usize, quads: bool, operation: u8): i32 {
  let count = 0;
  let line = from;
  subjectBytes = 0;
  while (line < to && count < MAX_RECORDS) {
    const start = operation == 0 ? line : behindOperation(line, operation);
    const end = start == 0 ? 0 : scanStatement(RECORDS + <usize>count * RECORD_BYTES, start, quads);
    const next: usize = end == 0 ? 0 : lineEnd(end, to);
    if (next == 0) {
      // Nobody hears of the slots that this line filled.
      if ((predicate & FRESH) != 0) forget(predicate);
      if ((graph & FRESH) != 0) forget(graph);
      break;
    }
    line = next;
    count++;
  }
  stopped = line;
  return count;
}

/** Where the statement begins behind the operation and a blank; 0 where another operation is. */
function behindOperation(line: usize, operation: u8): usize {
  const next = load<u8>(line, 1);
  return load<u8>(line) == operation && (next == 0x20 || next == 0x09) ? line + 2 : 0;
}

/** Leaves a record; returns where the statement ends, 0 where it is none. */
function scanStatement(record: usize, line: usize, quads: bool): usize {
  let at = scanSubject(record, skipBlanks(line));
  if (at == 0) return 0;
  at = skipBlanks(at);
  if (load<u8>(at) != LESS) return 0;
  const before = slotOf(predicate);
  predicate = known(at, load<u32>(before, NEXT));
  if (knownEnd == 0) return 0;
  store<u32>(before, predicate & ~FRESH, NEXT);
  storeSpan(record + 8, predicate, at, knownEnd);

  at = skipBlanks(knownEnd);
  const end = load<u8>(at) == QUOTE ? literalEnd(at) : resourceEnd(at);
  if (end == 0) return 0;
  store<u32>(record, <u32>at, 20);
  store<u32>(record, <u32>end, 24);

  at = skipBlanks(end);
  if (quads && load<u8>(at) == LESS) {
    graph = known(at, graph & ~FRESH);
    if (knownEnd == 0) return 0;
    storeSpan(record + 28, graph, at, knownEnd);
    at = skipBlanks(knownEnd);
  } else storeSpan(record + 28, 0, 0, 0);
  return load<u8>(at) == DOT ? skipBlanks(at + 1) : 0;
}

/** Returns where the subject ends, which is the same as in the line before or a new one. */
function scanSubject(record: usize, start: usize): usize {
  if (subjectBytes > 0 && sameBytes(start, subject, subjectBytes)) {
    store<u32>(record, 0);
    return start + subjectBytes;
  }
  const end = resourceEnd(start);
  store<u32>(record, <u32>start);
  store<u32>(record, <u32>end, 4);
  subject = start;
  subjectBytes = load<u8>(end) == 0x20 ? end + 1 - start : 0;
  return end;
}

function skipBlanks(from: usize): usize {
  let at = from;
  while (load<u8>(at) == 0x20 || load<u8>(at) == 0x09) at++;
  return at;
}

/** Behind the line end at `at`; 0 where none is there, or half of one. */
function lineEnd(at: usize, to: usize): usize {
  const byte = load<u8>(at);
  if (byte == LF) return at + 1;
  return byte == CR && at + 1 < to && load<u8>(at + 1) == LF ? at + 2 : 0;
}

// Each of these returns where the term that starts at `start` ends, or 0 where it is none, or not a simple one.

function resourceEnd(start: usize): usize {
  const byte = load<u8>(start);
  if (byte == LESS) return iriEnd(start);
  return byte == UNDERSCORE ? blankNodeEnd(start) : 0;
}

function blankNodeEnd(start: usize): usize {
  let at = start + 2;
  if (load<u8>(start + 1) != COLON || load<u8>(at) == HYPHEN) return 0;
  while (isLabelByte(load<u8>(at))) at++;
  // A label may go on behind a dot, and with other letters: not here.
  const byte = load<u8>(at);
  if (at == start + 2 || byte >= 0x80) return 0;
  if (byte != DOT) return at;
  const behind = load<u8>(at + 1);
  return behind == DOT || behind >= 0x80 || isLabelByte(behind) ? 0 : at;
}

function literalEnd(start: usize): usize {
  const at = stringEnd(start);
  if (at == 0) return 0;
  const byte = load<u8>(at);
  if (byte == AT) return languageEnd(at);
  if (byte != CARET) return at;
  if (load<u8>(at + 1) != CARET || load<u8>(at + 2) != LESS) return 0;
  const end = iriEnd(at + 2);
  return end == 0 || load<u32>(end - 4) == ING_GREATER ? 0 : end;
}
