/** Collects the words of literals, and writes them as a run. */
import { varintBytes } from '../format/byte-codec.js';
import type { Breaks } from '../runtime/env.js';
import { LANGUAGE_KEY, lengthByte, placeBytes, putPlace, putVarint } from './postings.js';
import type { PutPart, RunBuilder, RunEntry } from '../values/value-index.js';
import { TextRunWriter } from './run-writer.js';
import type { Part } from './text-run.js';
import { doubled, WordTable } from './word-table.js';
import { asciiWords, type Fold, wordsOf } from './words.js';

const QUOTE = 0x22;
const AT = 0x40;
const FIRST_LITERALS = 1024;
/** Words of literals in one array, and literals whose words are sorted before the event loop may get its turn. */
const WORDS_BITS = 16;
const WORDS_AT_ONCE = 1 << WORDS_BITS;
const LITERALS_AT_ONCE = 1024;
/** Of a word beside what the table of words has, and of one that stands in a literal: its number, and its posting at the end. */
const WORD_BYTES = 64;
const PLACE_BYTES = 8;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** The text of a literal without what follows its quotes; `undefined` for a term that has no words. */
export interface LiteralSpan {
  readonly start: number;
  readonly end: number;
  /** Where the language tag begins; the end of the term if it has none. */
  readonly language: number;
}

/** Only plain and language-tagged strings have words. */
export function literalSpan(term: Uint8Array): LiteralSpan | undefined {
  if (term[0] !== QUOTE) return undefined;
  const end = term.lastIndexOf(QUOTE);
  if (end === term.length - 1) return { start: 1, end, language: term.length };
  return term[end + 1] === AT ? { start: 1, end, language: end + 2 } : undefined;
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

/** The text of a literal, without escapes. */
export function literalText(term: Uint8Array, { start, end }: LiteralSpan): string {
  const text = fromUtf8.decode(term.subarray(start, end));
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/gsu,
    (_, four?: string, eight?: string, one = '') => {
      const code = four ?? eight;
      return code === undefined
        ? (ESCAPED[one as string] ?? (one as string))
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}

/** The tag of a language, without its direction. */
function languageOf(term: Uint8Array, { language }: LiteralSpan): Uint8Array {
  const direction = term.indexOf(0x2d, language);
  const hasDirection = direction !== -1 && term[direction + 1] === 0x2d;
  return term.subarray(language, hasDirection ? direction : term.length);
}

/** Takes a word, the first `length` bytes, good until the next one, and its place. */
type TakeWord = (word: Uint8Array, length: number, place: number) => void;

/**
 * The words of a term, and behind them the key of its language. Returns the number of words: 0 for a term that is no string.
 */
export function literalWords(term: Uint8Array, fold: Fold, take: TakeWord): number {
  const span = literalSpan(term);
  if (span === undefined) return 0;
  let place = 0;
  if (isAscii(term, span)) {
    asciiWords(term, span.start, span.end, (word, length) => take(word, length, place++));
  } else {
    for (const { text } of wordsOf(literalText(term, span), fold)) {
      // A word of marks alone may fold to nothing.
      if (text === '') continue;
      const word = utf8.encode(text);
      take(word, word.length, place++);
    }
  }
  if (place > 0 && span.language < term.length) {
    const tag = languageOf(term, span);
    if (tag.length >= language.length) language = new Uint8Array(tag.length * 2);
    for (let i = 0; i < tag.length; i++) language[i + 1] = tag[i]!;
    take(language, tag.length + 1, 0);
  }
  return place;
}

/** The key of the language of the last literal that had one. */
let language = new Uint8Array(64);

/** What stands for a language tag among the words. */
export function languageKey(tag: Uint8Array): Uint8Array {
  const key = new Uint8Array(tag.length + 1);
  key[0] = LANGUAGE_KEY;
  key.set(tag, 1);
  return key;
}

/**
 * It notes the words of one literal after the other, and sorts them by word at the end: first it counts what each will have, then it writes
 * all postings where they belong.
 */
export class TextRunBuilder implements RunBuilder<Part> {
  readonly #table: WordTable;
  /** The words of all literals as they stand there, by their numbers, and how many there are. */
  readonly #words: Uint32Array[] = [];
  #total = 0;
  /** The literals, and where the words of each end. */
  #ids = new Uint32Array(FIRST_LITERALS);
  #ends = new Uint32Array(FIRST_LITERALS);
  #literals = 0;
  #lengths = new Uint8Array(FIRST_LITERALS);

  /** `seed`: of the hashes of words. */
  constructor(
    private readonly from: number,
    private readonly fold: Fold,
    seed: number,
  ) {
    this.#table = new WordTable(seed);
  }

  /** About what it holds, and what its postings will take. */
  get bytes(): number {
    return this.#table.bytes + this.#table.size * WORD_BYTES + this.#total * PLACE_BYTES + this.#literals * 8;
  }

  /** Adds a term, as the dictionary has it. Ids ascend. */
  add(id: number, term: Uint8Array): void {
    const words = literalWords(term, this.fold, this.#take);
    if (words === 0) return;
    const at = id - this.from;
    if (at >= this.#lengths.length) this.#lengths = grownBytes(this.#lengths, at + 1);
    this.#lengths[at] = lengthByte(words);
    if (this.#literals === this.#ids.length) {
      this.#ids = doubled(this.#ids);
      this.#ends = doubled(this.#ends);
    }
    this.#ids[this.#literals] = id;
    this.#ends[this.#literals++] = this.#total;
  }

  readonly #take: TakeWord = (bytes, length) => {
    const at = this.#total++ & (WORDS_AT_ONCE - 1);
    if (at === 0) this.#words.push(new Uint32Array(WORDS_AT_ONCE));
    this.#words.at(-1)![at] = this.#table.add(bytes, length);
  };

  /** Writes the run of the ids before `to`. */
  async finish(
    to: number,
    put: PutPart<Part>,
    pacer: Breaks,
    onStep?: () => Promise<void>,
  ): Promise<Omit<RunEntry, 'id'>> {
    const writer = new TextRunWriter(put);
    const { counts, ends, postings } = await this.#postings(pacer);
    for (const words of sortedWords(this.#table)) {
      for (const word of words)
        writer.add(
          this.#table.wordOf(word),
          counts[word]!,
          postings.subarray(word === 0 ? 0 : ends[word - 1]!, ends[word]),
        );
      if (!pacer.due()) continue;
      await onStep?.();
      await pacer.pause();
    }
    const lengths = grownBytes(this.#lengths, to - this.from).subarray(0, to - this.from);
    return { from: this.from, to, ...writer.finish(lengths) };
  }

  /** Of all words: how many literals have them, and their postings one behind the other. */
  async #postings(pacer: Breaks): Promise<Pick<Placing, 'counts' | 'ends' | 'postings'>> {
    const { size } = this.#table;
    const isLanguage = new Uint8Array(size);
    for (let word = 0; word < size; word++)
      isLanguage[word] = this.#table.text[this.#table.startOf(word)] === LANGUAGE_KEY ? 1 : 0;
    const placing: Placing = {
      isLanguage,
      counts: new Uint32Array(size),
      ends: new Uint32Array(size),
      lastIds: new Uint32Array(size).fill(this.from - 1),
      lastPlaces: new Uint32Array(size),
      postings: new Uint8Array(0),
    };
    await this.#eachLiteral(placing, countWord, pacer);
    let total = 0;
    for (let word = 0; word < size; word++) {
      const length = placing.ends[word]!;
      // Until its last posting is written, this is where the next one goes.
      placing.ends[word] = total;
      total += length;
    }
    placing.lastIds.fill(this.from - 1);
    placing.postings = new Uint8Array(total);
    await this.#eachLiteral(placing, writeWord, pacer);
    return placing;
  }

  async #eachLiteral(
    placing: Placing,
    each: (placing: Placing, word: number, id: number, place: number) => void,
    pacer: Breaks,
  ): Promise<void> {
    let at = 0;
    for (let literal = 0; literal < this.#literals; literal++) {
      const id = this.#ids[literal]!;
      const start = at;
      for (const end = this.#ends[literal]!; at < end; at++)
        each(placing, this.#words[at >>> WORDS_BITS]![at & (WORDS_AT_ONCE - 1)]!, id, at - start);
      if (literal % LITERALS_AT_ONCE === 0 && pacer.due()) await pacer.pause();
    }
  }
}

/** What is known of words while their postings are placed. */
interface Placing {
  readonly isLanguage: Uint8Array;
  readonly counts: Uint32Array;
  readonly ends: Uint32Array;
  readonly lastIds: Uint32Array;
  readonly lastPlaces: Uint32Array;
  postings: Uint8Array;
}

function countWord(placing: Placing, word: number, id: number, place: number): void {
  const { isLanguage, counts, ends, lastIds, lastPlaces } = placing;
  const distance = id - lastIds[word]!;
  const own = distance === 0 ? place - lastPlaces[word]! : place;
  const length = isLanguage[word] === 0 ? placeBytes(distance, own) : varintBytes(distance);
  if (distance > 0) counts[word]!++;
  ends[word]! += length;
  lastIds[word] = id;
  lastPlaces[word] = place;
}

function writeWord(placing: Placing, word: number, id: number, place: number): void {
  const { isLanguage, ends, lastIds, lastPlaces, postings } = placing;
  const distance = id - lastIds[word]!;
  const own = distance === 0 ? place - lastPlaces[word]! : place;
  const at = ends[word]!;
  ends[word] = isLanguage[word] === 0 ? putPlace(postings, at, distance, own) : putVarint(postings, at, distance);
  lastIds[word] = id;
  lastPlaces[word] = place;
}

function isAscii(bytes: Uint8Array, { start, end }: LiteralSpan): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}

/** Bytes of words that are compared at once. */
const COMPARED = 6;

/** The words in the order of their bytes, those with the same first two bytes together. */
function* sortedWords(table: WordTable): Generator<readonly number[]> {
  const { text, size } = table;
  const byStart = new Map<number, number[]>();
  /** By word: the four bytes behind the first two. */
  const next = new Uint32Array(size);
  const byteOf = (word: number, at: number): number => {
    const place = table.startOf(word) + at;
    return place < table.endOf(word) ? text[place]! : 0;
  };
  for (let word = 0; word < size; word++) {
    const start = byteOf(word, 0) * 256 + byteOf(word, 1);
    next[word] = byteOf(word, 2) * 0x100_0000 + ((byteOf(word, 3) << 16) | (byteOf(word, 4) << 8) | byteOf(word, 5));
    const same = byStart.get(start);
    if (same === undefined) byStart.set(start, [word]);
    else same.push(word);
  }
  const compare = (x: number, y: number): number => {
    const difference = next[x]! - next[y]!;
    if (difference !== 0) return difference;
    // No word but a key of a language has a byte that is 0, so words with fewer bytes are told apart already.
    const [xStart, yStart] = [table.startOf(x), table.startOf(y)];
    const [xLength, yLength] = [table.endOf(x) - xStart, table.endOf(y) - yStart];
    for (let at = COMPARED; at < xLength && at < yLength; at++)
      if (text[xStart + at] !== text[yStart + at]) return text[xStart + at]! - text[yStart + at]!;
    return xLength - yLength;
  };
  for (const start of [...byStart.keys()].sort((x, y) => x - y)) yield byStart.get(start)!.sort(compare);
}

function grownBytes(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  if (least <= bytes.length) return bytes;
  const grown = new Uint8Array(Math.max(least, bytes.length * 2));
  grown.set(bytes);
  return grown;
}
