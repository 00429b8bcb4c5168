/**
 * Finds the terms of Turtle: statements with prefixed names, IRIs, labels of blank nodes and literals as programs write
 * them, joined by `;` and `,`. It stops at a statement that has anything else, or is cut: turtle-statements.ts reads that one.
 * So nothing is refused here, and whatever is taken is what turtle-statements.ts would have taken.
 *
 * Behind the bytes that are read stands a zero, which belongs to no token.
 */
import { MAX_RECORDS, RECORD_BYTES, RECORDS, storeSpan } from './layout';
import { copyIri, namespaceBytes, prefixOf } from './prefixes';
import { forget, FRESH, isExpected, known, knownEnd, NEXT, slotFor, slotOf } from './slots';
import {
  AT,
  CARET,
  COLON,
  copyBytes,
  DOT,
  HYPHEN,
  ING_GREATER,
  iriEnd,
  isDigit,
  isLabelByte,
  isLetter,
  languageEnd,
  LESS,
  PLUS,
  QUOTE,
  skipLabelBytes,
  stringEnd,
  UNDERSCORE,
} from './spans';

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const COMMA: u8 = 0x2c;
const SEMICOLON: u8 = 0x3b;
/** Of "@version", which n3 takes for a keyword. */
const VERSION_BYTES: usize = 8;
/** "ano", as labels begin that look like ours. */
const ANO: u32 = 0x6f6e61;
/** Longer names, and literals that have to be copied, are left to the parser. */
const MAX_COPIED: usize = 4096;
const ROOM_BYTES: usize = 1048576;
/** Texts of terms that do not stand in the document as they are; the last one may begin at the last byte. */
const ROOM: usize = memory.data(1064960, 16);

const CONSTANTS: usize = memory.data(384, 16);
const TRUE: usize = CONSTANTS;
const FALSE: usize = CONSTANTS + 64;
const INTEGER: usize = CONSTANTS + 128;
const DECIMAL: usize = CONSTANTS + 192;
const DOUBLE: usize = CONSTANTS + 256;
const RDF_TYPE: usize = CONSTANTS + 320;
const TRUE_BYTES: usize = put(TRUE, '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>');
const FALSE_BYTES: usize = put(FALSE, '"false"^^<http://www.w3.org/2001/XMLSchema#boolean>');
const INTEGER_BYTES: usize = put(INTEGER, '"^^<http://www.w3.org/2001/XMLSchema#integer>');
const DECIMAL_BYTES: usize = put(DECIMAL, '"^^<http://www.w3.org/2001/XMLSchema#decimal>');
const DOUBLE_BYTES: usize = put(DOUBLE, '"^^<http://www.w3.org/2001/XMLSchema#double>');
const RDF_TYPE_BYTES: usize = put(RDF_TYPE, '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>');

/** Where the last scan of Turtle stopped: behind a statement. */
export let turtleStopped: usize = 0;
/** How many lines ended in what it read. */
export let turtleLines: i32 = 0;

/** Of the statement at hand. */
let count: i32 = 0;
let lines: i32 = 0;
/** The slot of the predicate before. */
let predicate: u32 = 0;
/** The text of the term that was read last. */
let termStart: usize = 0;
let termEnd: usize = 0;
/** The prefix of the name that was read last, and the part behind its colon. */
let prefix: usize = 0;
let localStart: usize = 0;
let localEnd: usize = 0;
/** Where the room is free. */
let free: usize = ROOM;

/** Reads statements from `from` on and returns how many quads they have. The byte at `to` comes back as it was. */
export function scanTurtle(from: usize, to: usize): i32 {
  const behind = load<u8>(to);
  store<u8>(to, 0);
  free = ROOM;
  count = 0;
  turtleStopped = from;
  turtleLines = 0;
  let whole = 0;
  while (true) {
    lines = 0;
    const next = statementEnd(turtleStopped);
    if (next == 0) break;
    turtleStopped = next;
    turtleLines += lines;
    whole = count;
  }
  // Nobody hears of the slots that the last statement filled.
  for (; count > whole; count--) {
    const slot = load<u32>(RECORDS + <usize>(count - 1) * RECORD_BYTES, 8);
    if ((slot & FRESH) != 0) forget(slot);
  }
  store<u8>(to, behind);
  return whole;
}

// Each of these returns the place behind what starts at `start`, or 0 where that is none, or not a simple one.

function statementEnd(start: usize): usize {
  let at = resourceEnd(skipSpace(start));
  if (at == 0) return 0;
  let subjectStart = termStart;
  const subjectEnd = termEnd;
  while (true) {
    at = predicateEnd(skipSpace(at));
    if (at == 0) return 0;
    let slot = predicate;
    const predicateStart = termStart;
    const predicateTextEnd = termEnd;
    do {
      if (count == MAX_RECORDS) return 0;
      const record = RECORDS + <usize>count * RECORD_BYTES;
      count++;
      storeSpan(record + 8, slot, predicateStart, predicateTextEnd);
      at = objectEnd(skipSpace(at));
      if (at == 0) return 0;
      store<u32>(record, <u32>subjectStart);
      store<u32>(record, <u32>subjectEnd, 4);
      store<u32>(record, <u32>termStart, 20);
      store<u32>(record, <u32>termEnd, 24);
      storeSpan(record + 28, 0, 0, 0);
      subjectStart = 0;
      slot &= ~FRESH;
      at = skipSpace(at);
    } while (load<u8>(at) == COMMA && at++ != 0);
    let byte = load<u8>(at);
    if (byte == SEMICOLON) {
      do {
        at = skipSpace(at + 1);
        byte = load<u8>(at);
      } while (byte == SEMICOLON);
      if (byte != DOT) continue;
    }
    return byte == DOT && isSpace(load<u8>(at + 1)) ? at + 1 : 0;
  }
}

/** Finds the slot too. */
function predicateEnd(at: usize): usize {
  if (count == MAX_RECORDS) return 0;
  const before = slotOf(predicate);
  const expected = load<u32>(before, NEXT);
  let end: usize;
  if (load<u8>(at) == LESS) {
    const slot = known(at, expected);
    end = knownEnd;
    if (end == 0) return 0;
    predicate = slot;
    termStart = at;
    termEnd = end;
  } else if (isExpected(at, expected)) {
    // A name is known with the space behind it, so that no longer one begins like it.
    end = knownEnd - 1;
    predicate = expected;
  } else {
    end = load<u8>(at) == 0x61 && isSpace(load<u8>(at + 1)) ? typeEnd(at) : nameTermEnd(at);
    if (end == 0 || !isSpace(load<u8>(end))) return 0;
    predicate = slotFor(at, end + 1);
  }
  store<u32>(before, predicate & ~FRESH, NEXT);
  return end;
}

/** `a` */
function typeEnd(start: usize): usize {
  termStart = RDF_TYPE;
  termEnd = RDF_TYPE + RDF_TYPE_BYTES;
  return start + 1;
}

function objectEnd(start: usize): usize {
  const byte = load<u8>(start);
  if (byte == QUOTE) return literalEnd(start);
  if (isDigit(byte) || byte == PLUS || byte == HYPHEN || byte == DOT) return numberEnd(start);
  // "true" and "fals"
  if (load<u32>(start) == 0x65757274 && endsAt(start + 4)) return constantEnd(start + 4, TRUE, TRUE_BYTES);
  if (load<u32>(start) == 0x736c6166 && load<u8>(start + 4) == 0x65 && endsAt(start + 5)) {
    return constantEnd(start + 5, FALSE, FALSE_BYTES);
  }
  return resourceEnd(start);
}

function constantEnd(end: usize, text: usize, length: usize): usize {
  termStart = text;
  termEnd = text + length;
  return end;
}

function resourceEnd(start: usize): usize {
  const byte = load<u8>(start);
  if (byte == UNDERSCORE) return blankNodeEnd(start);
  if (byte != LESS) return nameTermEnd(start);
  termStart = start;
  termEnd = iriEnd(start);
  return termEnd;
}

function blankNodeEnd(start: usize): usize {
  const label = start + 2;
  if (load<u8>(start + 1) != COLON || load<u8>(label) == HYPHEN) return 0;
  const end = skipLabelBytes(label);
  if (end == label || !endsAt(end)) return 0;
  let first = label;
  while (load<u8>(first) == UNDERSCORE) first++;
  if ((load<u32>(first) & 0xffffff) == ANO) return 0;
  termStart = start;
  termEnd = end;
  return end;
}

/** A name, whose IRI becomes the term. */
function nameTermEnd(start: usize): usize {
  const end = nameEnd(start);
  if (end == 0 || !hasRoom(namespaceBytes(prefix) + localEnd - localStart)) return 0;
  termStart = free;
  termEnd = free = copyIri(prefix, localStart, localEnd, free);
  return end;
}

function nameEnd(start: usize): usize {
  const first = load<u8>(start);
  if (first != COLON && !isLetter(first)) return 0;
  const colon = skipLabelBytes(start);
  if (load<u8>(colon) != COLON) return 0;
  localStart = colon + 1;
  prefix = prefixOf(start, localStart - start);
  if (prefix == 0 || load<u8>(localStart) == HYPHEN) return 0;
  let at = localStart;
  while (true) {
    at = skipLabelBytes(at);
    const byte = load<u8>(at);
    const goesOn = byte == COLON || (byte == DOT && at > localStart && isLabelByte(load<u8>(at + 1)));
    if (!goesOn) break;
    at++;
  }
  localEnd = at;
  return at - start <= MAX_COPIED && endsAt(at) ? at : 0;
}

function literalEnd(start: usize): usize {
  const end = stringEnd(start);
  if (end == 0) return 0;
  const byte = load<u8>(end);
  // Two quotes may begin a long string.
  if (byte == QUOTE) return 0;
  termStart = start;
  if (byte == AT) {
    termEnd = languageEnd(end);
    const isVersion = termEnd - end == VERSION_BYTES && load<u8>(end + 1) == 0x76;
    return termEnd == 0 || isVersion || !endsAt(termEnd) ? 0 : termEnd;
  }
  if (byte == CARET) return load<u8>(end + 1) == CARET ? typedEnd(start, end) : 0;
  termEnd = end;
  return endsAt(end) ? end : 0;
}

/** The string goes up to `string`, where the datatype begins. */
function typedEnd(start: usize, string: usize): usize {
  const datatype = string + 2;
  let end: usize;
  if (load<u8>(datatype) == LESS) {
    end = termEnd = iriEnd(datatype);
    if (end == 0 || !endsAt(end)) return 0;
  } else {
    end = nameEnd(datatype);
    const length = datatype - start;
    if (end == 0 || length > MAX_COPIED || !hasRoom(length + namespaceBytes(prefix) + localEnd - localStart)) return 0;
    termStart = free;
    copyBytes(start, free, length);
    termEnd = free = copyIri(prefix, localStart, localEnd, free + length);
  }
  return load<u32>(termEnd - 4) == ING_GREATER ? 0 : end;
}

function numberEnd(start: usize): usize {
  const first = load<u8>(start);
  const digits = first == PLUS || first == HYPHEN ? start + 1 : start;
  let at = skipDigits(digits);
  const hasWhole = at > digits;
  let suffix = INTEGER;
  let suffixBytes = INTEGER_BYTES;
  if (load<u8>(at) == DOT && isDigit(load<u8>(at + 1))) {
    at = skipDigits(at + 1);
    suffix = DECIMAL;
    suffixBytes = DECIMAL_BYTES;
  } else if (!hasWhole) return 0;
  if ((load<u8>(at) | 0x20) == 0x65) {
    const sign = load<u8>(at + 1);
    const exponent = at + (sign == PLUS || sign == HYPHEN ? 2 : 1);
    at = skipDigits(exponent);
    if (!hasWhole || at == exponent) return 0;
    suffix = DOUBLE;
    suffixBytes = DOUBLE_BYTES;
  }
  if (!endsAt(at) || at - start > MAX_COPIED || !hasRoom(at - start + suffixBytes)) return 0;
  termStart = free;
  store<u8>(free, QUOTE);
  copyBytes(start, free + 1, at - start);
  free += 1 + at - start;
  copyBytes(suffix, free, suffixBytes);
  termEnd = free += suffixBytes;
  return at;
}

function skipDigits(from: usize): usize {
  let at = from;
  while (isDigit(load<u8>(at))) at++;
  return at;
}

/** Moves behind space; counts the lines. */
function skipSpace(from: usize): usize {
  let at = from;
  while (true) {
    const byte = load<u8>(at);
    if (byte == LF) lines++;
    else if (byte == CR) lines += load<u8>(at + 1) == LF ? 0 : 1;
    else if (byte != 0x20 && byte != 0x09) return at;
    at++;
  }
}

/** Whether a token that goes up to there ends there. */
function endsAt(at: usize): bool {
  const byte = load<u8>(at);
  return isSpace(byte) || byte == COMMA || byte == SEMICOLON || (byte == DOT && isSpace(load<u8>(at + 1)));
}

function isSpace(byte: u8): bool {
  return byte == 0x20 || byte == LF || byte == 0x09 || byte == CR;
}

function hasRoom(bytes: usize): bool {
  return free + bytes < ROOM + ROOM_BYTES;
}

function put(at: usize, text: string): usize {
  for (let i = 0; i < text.length; i++) store<u8>(at + i, <u8>text.charCodeAt(i));
  return text.length;
}
