/** Merges runs of a text index whose ranges of ids follow one another. */
import { ByteWriter, joinBytes } from '../format/byte-codec.js';
import type { Pacer } from '../runtime/env.js';
import { appendPostings, LANGUAGE_KEY, lastPosting } from './postings.js';
import type { PutPart, RunEntry } from '../values/value-index.js';
import { TextRunWriter } from './run-writer.js';
import { CHUNK_BYTES, compareWords, PageReader, type Part, type TextRun } from './text-run.js';

/** Goes through the words of a run. */
class RunCursor {
  #page = 0;
  #reader: PageReader | undefined;
  /** The chunk of postings that was read last, and where it begins. */
  #chunk: Uint8Array = new Uint8Array(0);
  #chunkStart = 0;

  constructor(readonly run: TextRun) {}

  get word(): Uint8Array {
    return this.#reader!.word;
  }

  get count(): number {
    return this.#reader!.count;
  }

  /** The postings of the word, good until the next word. Words come in the order of their postings, so each chunk is read once. */
  postings(): Uint8Array | Promise<Uint8Array> {
    const { start, length } = this.#reader!.entry;
    const from = start - this.#chunkStart;
    return from + length <= this.#chunk.length ? this.#chunk.subarray(from, from + length) : this.#postingsLater();
  }

  async #postingsLater(): Promise<Uint8Array> {
    const { start, length } = this.#reader!.entry;
    const parts = [this.#chunk.subarray(start - this.#chunkStart)];
    for (let read = parts[0]!.length; read < length; read += this.#chunk.length) {
      this.#chunkStart += this.#chunk.length;
      this.#chunk = await this.run.chunk(this.#chunkStart / CHUNK_BYTES);
      parts.push(this.#chunk);
    }
    return joinBytes(parts).subarray(0, length);
  }

  /** Goes to the next word. Returns false at the end. */
  next(): boolean | Promise<boolean> {
    return this.#reader?.next() === true || this.#nextPage();
  }

  async #nextPage(): Promise<boolean> {
    while (this.#page < this.run.entry.pages) {
      this.#reader = new PageReader(await this.run.page(this.#page++));
      if (this.#reader.next()) return true;
    }
    return false;
  }
}

/** Writes one run with all that the runs have. */
export async function mergeTextRuns(
  runs: readonly TextRun[],
  put: PutPart<Part>,
  pacer: Pacer,
  onStep: () => Promise<void>,
): Promise<Omit<RunEntry, 'id'>> {
  const writer = new TextRunWriter(put);
  let open: RunCursor[] = [];
  for (const run of runs) {
    const cursor = new RunCursor(run);
    if (await cursor.next()) open.push(cursor);
  }
  const postings = new ByteWriter(1024);
  while (open.length > 0) {
    let word = open[0]!.word;
    for (const cursor of open) if (compareWords(cursor.word, word) < 0) ({ word } = cursor);
    const same = open.filter((cursor) => compareWords(cursor.word, word) === 0);
    const merged = mergePostings(same, postings, runs[0]!.entry.from);
    writer.add(word, merged instanceof Promise ? await merged : merged, postings.finish());
    for (const cursor of same) {
      let isMore = cursor.next();
      if (isMore instanceof Promise) isMore = await isMore;
      if (!isMore) open = open.filter((other) => other !== cursor);
    }
    if (pacer.due()) {
      await onStep();
      await pacer.pause();
    }
  }
  const lengths = joinBytes(await Promise.all(runs.map(async (run) => (await run.lengths()).bytes)));
  return { from: runs[0]!.entry.from, to: runs.at(-1)!.entry.to, ...writer.finish(lengths) };
}

/** Returns how many literals have the word. A promise only where something has to be read. */
function mergePostings(cursors: readonly RunCursor[], writer: ByteWriter, from: number): number | Promise<number> {
  writer.clear();
  let count = 0;
  let last = from - 1;
  const append = (cursor: RunCursor, bytes: Uint8Array): void => {
    const isLanguage = cursor.word[0] === LANGUAGE_KEY;
    const { from: first } = cursor.run.entry;
    appendPostings(writer, bytes, first, last, isLanguage);
    // The last one is only needed for those behind it.
    if (cursor !== cursors.at(-1)) last = lastPosting(bytes, first, isLanguage);
    count += cursor.count;
  };
  for (const [at, cursor] of cursors.entries()) {
    const bytes = cursor.postings();
    if (bytes instanceof Promise) return appendLater(cursors.slice(at), bytes, append).then(() => count);
    append(cursor, bytes);
  }
  return count;
}

async function appendLater(
  cursors: readonly RunCursor[],
  first: Promise<Uint8Array>,
  append: (cursor: RunCursor, bytes: Uint8Array) => void,
): Promise<void> {
  for (const [at, cursor] of cursors.entries()) append(cursor, await (at === 0 ? first : cursor.postings()));
}
