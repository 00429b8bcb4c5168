/** Writes runs of a text index: of the words of literals, or of the words of other runs. */
import { ByteWriter } from '../format/byte-codec.js';
import { PART_BYTES } from '../format/layout.js';
import type { PutPart, RunEntry } from '../values/value-index.js';
import { CHUNK_BYTES, type Part, totalsOf } from './text-run.js';

/** Bytes at which a page of words ends. */
const PAGE_BYTES = 8 * 1024;

export class TextRunWriter {
  readonly #page = new ByteWriter(PAGE_BYTES * 2);
  readonly #fences = new ByteWriter(1024);
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  #chunks = 0;
  #filled = 0;
  /** Where the postings of the next word begin. */
  #start = 0;
  #pages = 0;
  #last = new Uint8Array(0);

  constructor(private readonly put: PutPart<Part>) {}

  /** Adds a word behind all before it. */
  add(word: Uint8Array, count: number, postings: Uint8Array): void {
    const page = this.#page;
    if (page.length > PAGE_BYTES) this.#endPage();
    if (page.length === 0) {
      page.varint(this.#start);
      this.#fences.varint(word.length).bytes(word);
      this.#last = new Uint8Array(0);
    }
    let shared = 0;
    while (shared < word.length && this.#last[shared] === word[shared]) shared++;
    page
      .varint(shared)
      .varint(word.length - shared)
      .bytes(word.subarray(shared));
    this.#last = word.slice();
    this.#write(postings);
    page.varint(count).varint(postings.length);
    this.#start += postings.length;
  }

  #endPage(): void {
    this.put('words', this.#pages++, this.#page.finish());
    this.#page.clear();
  }

  #write(postings: Uint8Array): void {
    for (let at = 0; at < postings.length;) {
      const some = postings.subarray(at, at + CHUNK_BYTES - this.#filled);
      this.#chunk.set(some, this.#filled);
      this.#filled += some.length;
      at += some.length;
      if (this.#filled === CHUNK_BYTES) this.#endChunk();
    }
  }

  #endChunk(): void {
    this.put('postings', this.#chunks++, this.#chunk.subarray(0, this.#filled));
    this.#filled = 0;
  }

  finish(lengths: Uint8Array): Pick<RunEntry, 'pages'> {
    if (this.#page.length > 0) this.#endPage();
    if (this.#filled > 0) this.#endChunk();
    const { literals, words } = totalsOf(lengths);
    const head = new ByteWriter(this.#fences.length + 16).varint(literals).varint(words).bytes(this.#fences.finish());
    for (const [part, bytes] of [
      ['lengths', lengths],
      ['fences', head.finish()],
    ] as const)
      for (let at = 0; at === 0 || at < bytes.length; at += PART_BYTES)
        this.put(part, at / PART_BYTES, bytes.subarray(at, at + PART_BYTES));
    return { pages: this.#pages };
  }
}
