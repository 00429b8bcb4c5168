/**
 * Quads as canonical lines of N-Quads, in UTF-8. They are made of the texts of the dictionary, without strings and objects. Blank nodes
 * have their labels.
 */
import type { Dictionary } from '../dictionary/dictionary.js';
import { inlineText, isInline } from '../dictionary/inline.js';
import { LONG_ENTRY, readTripleEntry, TRIPLE_ENTRY } from '../dictionary/term-block.js';
import { DEFAULT_GRAPH } from '../format/layout.js';
import type { QuadIds } from '../read/quad-decoder.js';

const MOST_LINES = 64;
const FIRST_BYTES = 16 * 1024;
/** Memory that is kept after long texts, in bytes. */
const KEPT_BYTES = 1024 * 1024;
/** No text of an inlined id is longer. */
const INLINE_BYTES = 80;
/** Texts that are kept, and the longest of these. */
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 256;
/** Rows whose terms are read ahead, and blocks of terms that are read at once, where the storage takes a round trip. */
const ROWS_AHEAD = 64;
const BLOCKS_AHEAD = 64;

const utf8 = new TextEncoder();
const SPACE = utf8.encode(' ');
const END = utf8.encode(' .\n');
const TRIPLE_START = utf8.encode('<<( ');
const TRIPLE_END = utf8.encode(' )>>');

export class QuadLines {
  /** The bytes of each line. Negative for a line that is taken away. */
  readonly lengths = new Int32Array(MOST_LINES);
  count = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #end = 0;
  /** The subject of the last line, and where its text is. */
  #subject = 0;
  #subjectStart = 0;
  #subjectEnd = 0;
  /** Texts of predicates, graphs, and ids that contain their value: of these terms many come again. */
  readonly #known = new Map<number, Uint8Array>();
  /** A term that must be fetched. */
  #missing = 0;
  /** Long texts of the line that is being made. */
  readonly #long = new Map<number, Uint8Array>();

  constructor(private readonly dictionary: Dictionary) {}

  /** The lines, one behind the other, until the next step. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  get full(): boolean {
    return this.count === MOST_LINES || this.#end > FIRST_BYTES;
  }

  clear(): void {
    this.count = this.#end = this.#subject = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(FIRST_BYTES);
  }

  /** Adds the line of a row. Returns `false` if the caller must await {@link fetch} first. */
  add({ s, p, o, g }: QuadIds, row: number, minus: boolean): boolean {
    const start = this.#end;
    if (!this.#addTerms(s[row]!, p[row]!, o[row]!, g[row]!)) {
      this.#end = start;
      return false;
    }
    const length = this.#end - start;
    this.lengths[this.count++] = minus ? -length : length;
    if (this.#long.size > 0) this.#long.clear();
    return true;
  }

  #addTerms(s: number, p: number, o: number, g: number): boolean {
    if (!this.#addSubject(s)) return false;
    this.#put(SPACE);
    if (!this.#addKnown(p)) return false;
    this.#put(SPACE);
    if (!(isInline(o) ? this.#addKnown(o) : this.#addTerm(o))) return false;
    if (g !== DEFAULT_GRAPH) {
      this.#put(SPACE);
      if (!this.#addKnown(g)) return false;
    }
    this.#put(END);
    return true;
  }

  // Rows are sorted by subject.
  #addSubject(id: number): boolean {
    const start = this.#end;
    if (id === this.#subject) {
      const length = this.#subjectEnd - this.#subjectStart;
      this.#reserve(length);
      this.#bytes.copyWithin(start, this.#subjectStart, this.#subjectEnd);
      this.#end += length;
      return true;
    }
    if (!this.#addTerm(id)) return false;
    this.#subject = id;
    this.#subjectStart = start;
    this.#subjectEnd = this.#end;
    return true;
  }

  #addKnown(id: number): boolean {
    const known = this.#known.get(id);
    if (known !== undefined) {
      this.#put(known);
      return true;
    }
    const start = this.#end;
    if (!this.#addTerm(id)) return false;
    if (this.#end - start > LONGEST_KNOWN) return true;
    if (this.#known.size === MOST_KNOWN) this.#known.clear();
    this.#known.set(id, this.#bytes.slice(start, this.#end));
    return true;
  }

  #addTerm(id: number): boolean {
    if (isInline(id)) {
      this.#reserve(INLINE_BYTES);
      this.#end += utf8.encodeInto(inlineText(id), this.#bytes.subarray(this.#end)).written;
      return true;
    }
    const text = this.#long.get(id) ?? this.dictionary.tryEntry(id);
    if (text === undefined || text[0] === LONG_ENTRY) {
      this.#missing = id;
      return false;
    }
    if (text[0] === TRIPLE_ENTRY) return this.#addTriple(readTripleEntry(text));
    this.#put(text);
    return true;
  }

  #addTriple([s, p, o]: readonly [number, number, number]): boolean {
    this.#put(TRIPLE_START);
    if (!this.#addTerm(s)) return false;
    this.#put(SPACE);
    if (!this.#addTerm(p)) return false;
    this.#put(SPACE);
    if (!this.#addTerm(o)) return false;
    this.#put(TRIPLE_END);
    return true;
  }

  #put(text: Uint8Array): void {
    this.#reserve(text.length);
    this.#bytes.set(text, this.#end);
    this.#end += text.length;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#end + length, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = grown;
  }

  /** Fetches what the line of a row lacks, and blocks that the rows behind it need. */
  async fetch({ s, p, o, g }: QuadIds, row: number, end: number): Promise<void> {
    const { dictionary } = this;
    const id = this.#missing;
    const entry = dictionary.tryEntry(id);
    if (entry !== undefined) {
      if (entry[0] === LONG_ENTRY) this.#long.set(id, await dictionary.longText(id, entry));
      return;
    }
    const ids = [id];
    for (let i = row; i < Math.min(end, row + ROWS_AHEAD); i++) ids.push(s[i]!, p[i]!, o[i]!, g[i]!);
    await dictionary.fetchBlocks(ids, BLOCKS_AHEAD);
  }
}
