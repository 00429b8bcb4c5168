/**
 * Answers a question for words: the literals below a mark that fit, and their scores by BM25 (k1 1.2, b 0.75) as Lucene computes them. It
 * counts all literals below the mark.
 */
import { FIRST_LOCAL_ID } from '../format/layout.js';
import type { Pacer } from '../runtime/env.js';
import { isWithin } from './edits.js';
import {
  LANGUAGE_KEY,
  LENGTHS,
  markedIds,
  markPostings,
  NO_POSTINGS,
  readLanguage,
  readPostings,
  type Postings,
} from './postings.js';
import { languageKey } from './run-builder.js';
import { intersected, joined, NOTHING, type ScoredIds, united, withScores, without } from './scored-ids.js';
import type { TextView } from './text-index.js';
import { ANY, type Clause, fitsWild, type TextQuery, type WildPart } from './text-query.js';
import type { TextRun, WordEntry } from './text-run.js';
import { LONGEST_WORD } from './words.js';

const K1 = 1.2;
const B = 0.75;
/** A score of all words that fit a pattern, as Lucene gives it. */
const PATTERN_SCORE = 1;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Which literals count: those with a tag of a range (`en` also has `en-gb`), and of one of these ranges. */
export interface LanguageRanges {
  readonly language?: string | undefined;
  readonly languages?: readonly string[] | undefined;
}

/** The score of all literals that fit; `undefined`: they have different ones. */
export const onlyScore = (query: TextQuery | undefined): number | undefined =>
  query?.type === 'pattern' ? query.boost * PATTERN_SCORE : undefined;

/** The literals that fit, with ids below `before`. */
export async function searchText(
  view: TextView,
  query: TextQuery | undefined,
  { language, languages }: LanguageRanges,
  pacer: Pacer,
  before = Infinity,
): Promise<ScoredIds> {
  if (query === undefined || view.runs.length === 0) return NOTHING;
  const search = new TextSearch(view, pacer, before);
  let found = await search.scored(query, 1);
  for (const ranges of [language === undefined ? undefined : [language], languages])
    if (ranges !== undefined) found = intersected(found, await search.ofLanguages(ranges), () => 0);
  return found;
}

/** Letters and digits of ASCII in lower case, and whether a word is them, begins with them or has them anywhere. */
export interface WordPiece {
  readonly kind: 'is' | 'starts' | 'contains';
  readonly piece: string;
}

/** Tests of the same kind, the fastest first. */
const KINDS = ['is', 'starts', 'contains'] as const;
/** At most so many literals are not narrowed down by a test that has to read all words. */
const FEW = 1024;

/** All literals with such words, and perhaps others: a word that was cut may have anything. */
export async function literalsWithPieces(
  view: TextView,
  pieces: readonly WordPiece[],
  pacer: Pacer,
): Promise<Uint32Array> {
  const search = new TextSearch(view, pacer);
  let found: ScoredIds | undefined;
  for (const kind of KINDS) {
    const texts = [...new Set(pieces.filter((piece) => piece.kind === kind).map(({ piece }) => piece))];
    if (texts.length === 0 || (found !== undefined && found.ids.length <= FEW)) continue;
    for (const ids of await search.withPieces(kind, texts)) {
      const own = { ids, scores: new Float64Array(ids.length) };
      found = found === undefined ? own : intersected(found, own, () => 0);
    }
  }
  return found?.ids ?? new Uint32Array(0);
}

/** What scores depend on beside words. */
interface Corpus {
  readonly literals: number;
  /** By the byte of a length. */
  readonly norms: Float64Array;
}

class TextSearch {
  #corpus: Promise<Corpus> | undefined;
  /** The runs that are searched, and the ids that are found are below this. */
  readonly #runs: readonly TextRun[];
  readonly #before: number;

  constructor(
    private readonly view: TextView,
    private readonly pacer: Pacer,
    before = Infinity,
  ) {
    this.#runs = view.runs.filter(({ entry }) => entry.from < before);
    this.#before = Math.min(view.mark, before);
  }

  async scored(query: TextQuery, outer: number): Promise<ScoredIds> {
    if (this.pacer.due()) await this.pacer.pause();
    const boost = query.boost * outer;
    switch (query.type) {
      case 'word':
        return this.#weighted(await this.#postings(utf8.encode(query.word)), boost);
      case 'phrase':
        return this.#phrase(query.words, query.slop, boost);
      case 'pattern':
        return this.#pattern(query.prefix, query.rest, boost);
      case 'fuzzy':
        return this.#fuzzy(query.word, query.edits, boost);
      case 'clauses':
        return this.#clauses(query.clauses, boost);
    }
  }

  // ── Clauses ───────────────────────────────────────────────────────────────────────────────────────────────────

  async #clauses(clauses: readonly Clause[], boost: number): Promise<ScoredIds> {
    const found = async (occurs: Clause['occurs']): Promise<ScoredIds[]> => {
      const all: ScoredIds[] = [];
      for (const clause of clauses) if (clause.occurs === occurs) all.push(await this.scored(clause.query, boost));
      return all;
    };
    const must = await found('must');
    const should = united(await found('should'));
    let result: ScoredIds;
    if (must.length === 0) result = should;
    else {
      must.sort((x, y) => x.ids.length - y.ids.length);
      result = must.reduce((left, right) => intersected(left, right, (_, score) => score));
      if (should.ids.length > 0) result = withScores(result, should);
    }
    for (const excluded of await found('not')) result = without(result, excluded.ids);
    return result;
  }

  /** Literals with a language tag of any of these ranges. */
  async ofLanguages(ranges: readonly string[]): Promise<ScoredIds> {
    return united(await Promise.all(ranges.map((range) => this.#ofLanguage(range))));
  }

  async #ofLanguage(range: string): Promise<ScoredIds> {
    const key = languageKey(utf8.encode(range.toLowerCase()));
    const found: ScoredIds[] = [];
    for (const run of this.#runs) {
      const entries: WordEntry[] = [];
      await run.visit(key, (reader) => {
        const { word } = reader;
        for (let i = 0; i < key.length; i++) if (word[i] !== key[i]) return false;
        if (word.length === key.length || word[key.length] === HYPHEN) entries.push(reader.entry);
        return true;
      });
      for (const entry of entries) {
        const ids = readLanguage(await run.postings(entry), {
          count: entry.count,
          first: run.entry.from,
          mark: this.#markOf(run),
        });
        found.push({ ids, scores: new Float64Array(ids.length) });
      }
    }
    return united(found);
  }

  // ── Words ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async #postings(word: Uint8Array, withPlaces = false): Promise<Postings> {
    const parts: Postings[] = [];
    for (const run of this.#runs) {
      const entry = await run.find(word);
      if (entry !== undefined) parts.push(await this.#read(run, entry, withPlaces));
    }
    return joinPostings(parts);
  }

  async #read(run: TextRun, entry: WordEntry, withPlaces: boolean): Promise<Postings> {
    const range = { count: entry.count, first: run.entry.from, mark: this.#markOf(run) };
    let read = NO_POSTINGS;
    await run.eachPostings(
      [entry],
      (bytes, start, end) => {
        read = readPostings(bytes, range, withPlaces, start, end);
      },
      this.pacer,
    );
    return read;
  }

  /** Scores of literals that have a word so many times. */
  async #weighted({ ids, counts, length }: Postings, boost: number, weight?: number): Promise<ScoredIds> {
    if (length === 0) return NOTHING;
    const { literals, norms } = await this.#all();
    const factor = boost * (weight ?? rarity(length, literals));
    const scores = new Float64Array(length);
    let at = 0;
    for (const run of this.#runs) {
      const { from, to } = run.entry;
      if (at === length || ids[at]! >= to) continue;
      const { bytes } = await run.lengths();
      for (; at < length && ids[at]! < to; at++) {
        const count = counts[at]!;
        scores[at] = (factor * count) / (count + norms[bytes[ids[at]! - from]!]!);
      }
      if (this.pacer.due()) await this.pacer.pause();
    }
    return { ids: ids.subarray(0, length), scores };
  }

  // What only a transaction knows has greater ids.
  #markOf({ entry }: TextRun): number {
    return entry.from >= FIRST_LOCAL_ID ? Infinity : this.#before;
  }

  /** How many literals there are, and what their lengths make of scores. */
  #all(): Promise<Corpus> {
    return (this.#corpus ??= this.#sum());
  }

  async #sum(): Promise<Corpus> {
    let literals = 0;
    let words = 0;
    for (const run of this.view.runs) {
      const own = await run.totals(run.entry.from >= FIRST_LOCAL_ID ? Infinity : this.view.mark);
      literals += own.literals;
      words += own.words;
    }
    const average = words / literals;
    return { literals, norms: LENGTHS.map((length) => K1 * (1 - B + (B * length) / average)) };
  }

  // ── Phrases ───────────────────────────────────────────────────────────────────────────────────────────────────

  async #phrase(words: readonly string[], slop: number, boost: number): Promise<ScoredIds> {
    const all: PlacedPostings[] = [];
    for (const word of words) all.push(new PlacedPostings(await this.#postings(utf8.encode(word), true)));
    const { literals } = await this.#all();
    const weight = all.reduce((sum, { postings }) => sum + rarity(postings.length, literals), 0);
    const rarest = all.reduce((least, each) => (each.postings.length < least.postings.length ? each : least));
    const ids: number[] = [];
    const counts: number[] = [];
    for (let i = 0; i < rarest.postings.length; i++) {
      const id = rarest.postings.ids[i]!;
      if (!all.every((each) => each.seek(id))) continue;
      const count = phraseCount(
        all.map((word) => word.places),
        slop,
      );
      if (count > 0) {
        ids.push(id);
        counts.push(count);
      }
      if (i % STEPS_AT_ONCE === 0 && this.pacer.due()) await this.pacer.pause();
    }
    const found = {
      ids: Uint32Array.from(ids),
      counts: Float64Array.from(counts) as unknown as Uint32Array,
      length: ids.length,
    };
    return this.#weighted(found, boost, weight);
  }

  // ── Words that fit ────────────────────────────────────────────────────────────────────────────────────────────

  async #pattern(prefix: string, rest: readonly WildPart[], boost: number): Promise<ScoredIds> {
    const start = utf8.encode(prefix);
    const isPrefix = rest.length === 1 && rest[0] === ANY;
    const fits = (word: Uint8Array): boolean => fitsWild([...fromUtf8.decode(word.subarray(start.length))], rest);
    const found: Uint32Array[] = [];
    for (const run of this.#runs)
      found.push(await this.#union(run, await this.#beginning(run, start, isPrefix ? undefined : fits)));
    const ids = joined(found);
    return { ids, scores: new Float64Array(ids.length).fill(boost * PATTERN_SCORE) };
  }

  /** For each piece the literals that have it. */
  async withPieces(kind: WordPiece['kind'], pieces: readonly string[]): Promise<Uint32Array[]> {
    const texts = pieces.map((piece) => utf8.encode(piece.slice(0, LONGEST_PIECE)));
    const found: Uint32Array[][] = texts.map(() => []);
    if (kind === 'contains') await this.#eachRun((run) => this.#containing(run, texts), found);
    else
      for (const [at, text] of texts.entries())
        await this.#eachRun(
          async (run) => [kind === 'is' ? await entriesOf(run, text) : await this.#beginning(run, text)],
          [found[at]!],
        );
    return found.map(joined);
  }

  async #eachRun(
    entriesIn: (run: TextRun) => Promise<readonly (readonly WordEntry[])[]>,
    found: Uint32Array[][],
  ): Promise<void> {
    for (const run of this.#runs)
      for (const [at, entries] of (await entriesIn(run)).entries()) found[at]!.push(await this.#union(run, entries));
  }

  async #beginning(
    run: TextRun,
    start: Uint8Array,
    fits?: (word: Uint8Array) => boolean,
  ): Promise<readonly WordEntry[]> {
    const entries: WordEntry[] = [];
    await run.visit(
      start,
      (reader) => {
        if (!beginsWith(reader.buffer, reader.size, start)) return false;
        if (fits === undefined || fits(reader.word)) entries.push(reader.entry);
        return true;
      },
      this.pacer,
    );
    return entries;
  }

  // For each piece the words that have it, and those that were cut.
  async #containing(run: TextRun, pieces: readonly Uint8Array[]): Promise<readonly (readonly WordEntry[])[]> {
    const entries = pieces.map((): WordEntry[] => []);
    await run.visit(
      Uint8Array.of(LANGUAGE_KEY + 1),
      (reader) => {
        const { buffer, size } = reader;
        for (let at = 0; at < pieces.length; at++)
          if (size >= LONGEST_WORD || contains(buffer, size, pieces[at]!)) entries[at]!.push(reader.entry);
        return true;
      },
      this.pacer,
    );
    return entries;
  }

  // The literals of a run that have any of these words.
  async #union(run: TextRun, entries: readonly WordEntry[]): Promise<Uint32Array> {
    const { from, to } = run.entry;
    if (entries.length === 0) return NOTHING.ids;
    if (entries.length === 1) {
      const { ids, length } = await this.#read(run, entries[0]!, false);
      return ids.subarray(0, length);
    }
    const bits = new Uint32Array((to - from + 31) >>> 5);
    const range = { first: from, mark: this.#markOf(run) };
    await run.eachPostings(entries, (bytes, start, end) => markPostings(bytes, start, end, range, bits), this.pacer);
    const most = entries.reduce((sum, { count }) => sum + count, 0);
    return markedIds(bits, from, Math.min(most, to - from));
  }

  async #fuzzy(word: string, edits: number, boost: number): Promise<ScoredIds> {
    const characters = [...word];
    const near = new Map<string, number>();
    for (const run of this.#runs) {
      await run.visit(
        Uint8Array.of(LANGUAGE_KEY + 1),
        (reader) => {
          // Few words are so long, and most need not be decoded.
          if (Math.abs(charactersIn(reader.buffer, reader.size) - characters.length) > edits) return true;
          const other = fromUtf8.decode(reader.word);
          if (near.has(other)) return true;
          const distance = isWithin(characters, [...other], edits);
          if (distance !== undefined) near.set(other, distance);
          return true;
        },
        this.pacer,
      );
    }
    const found: ScoredIds[] = [];
    for (const [other, distance] of near) {
      const share = 1 - distance / Math.min(characters.length, [...other].length);
      // As in Lucene: a word with nothing in common has the score 0, and one with more changes than characters is not near.
      if (share >= 0) found.push(await this.#weighted(await this.#postings(utf8.encode(other)), boost * share));
    }
    return united(found);
  }
}

/** The characters of a text in UTF-8: bytes that continue one begin with 10. */
function charactersIn(bytes: Uint8Array, size: number): number {
  let count = 0;
  for (let at = 0; at < size; at++) if ((bytes[at]! & 0xc0) !== 0x80) count++;
  return count;
}

const HYPHEN = 0x2d;
const STEPS_AT_ONCE = 1024;

async function entriesOf(run: TextRun, word: Uint8Array): Promise<readonly WordEntry[]> {
  const entry = await run.find(word);
  return entry === undefined ? [] : [entry];
}

/** How much a word says that `count` of all literals have. */
const rarity = (count: number, literals: number): number => Math.log(1 + (literals - count + 0.5) / (count + 0.5));

/** A longer piece may stand in a word that was cut. */
const LONGEST_PIECE = 64;

function contains(word: Uint8Array, size: number, piece: Uint8Array): boolean {
  const first = piece[0]!;
  const last = size - piece.length;
  for (let at = 0; at <= last; at++) {
    if (word[at] !== first) continue;
    let same = 1;
    while (same < piece.length && word[at + same] === piece[same]) same++;
    if (same === piece.length) return true;
  }
  return false;
}

function beginsWith(word: Uint8Array, size: number, prefix: Uint8Array): boolean {
  if (size < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (word[i] !== prefix[i]) return false;
  return true;
}

/** Goes through the literals of a word in ascending order, with the places in each. */
class PlacedPostings {
  #at = 0;
  #place = 0;

  constructor(readonly postings: Postings) {}

  seek(id: number): boolean {
    const { ids, counts, length } = this.postings;
    for (; this.#at < length && ids[this.#at]! < id; this.#at++) this.#place += counts[this.#at]!;
    return this.#at < length && ids[this.#at] === id;
  }

  /** Where the word stands in the literal. */
  get places(): Uint32Array {
    const { counts, places } = this.postings;
    return places!.subarray(this.#place, this.#place + counts[this.#at]!);
  }
}

/** How often the words of a phrase stand together; with moves in between each counts less, the more there are. */
export function phraseCount(places: readonly Uint32Array[], slop: number): number {
  if (slop > 0) return sloppyCount(places, slop);
  let count = 0;
  for (const first of places[0]!) if (places.every((own, i) => own.includes(first + i))) count++;
  return count;
}

// As Lucene's sloppy matcher: the word that is furthest behind moves on as long as the words come closer, and then they count.
function sloppyCount(places: readonly Uint32Array[], slop: number): number {
  const at = places.map(() => 0);
  const placeOf = (word: number): number => places[word]![at[word]!]! - word;
  const furthestBehind = (except: number): number => {
    let least = -1;
    for (let word = 0; word < places.length; word++)
      if (word !== except && (least === -1 || placeOf(word) < placeOf(least))) least = word;
    return least;
  };
  let end = Math.max(...places.map((_, word) => placeOf(word)));
  let word = furthestBehind(-1);
  let next = placeOf(furthestBehind(word));
  let width = end - placeOf(word);
  let count = 0;
  while (++at[word]! < places[word]!.length) {
    end = Math.max(end, placeOf(word));
    if (placeOf(word) <= next) {
      width = Math.min(width, end - placeOf(word));
      continue;
    }
    if (width <= slop) count += 1 / (1 + width);
    word = furthestBehind(-1);
    next = placeOf(furthestBehind(word));
    width = end - placeOf(word);
  }
  return width <= slop ? count + 1 / (1 + width) : count;
}

function joinPostings(parts: readonly Postings[]): Postings {
  const some = parts.filter(({ length }) => length > 0);
  if (some.length < 2) return some[0] ?? NO_POSTINGS;
  const length = some.reduce((sum, part) => sum + part.length, 0);
  const placed = some.map(({ counts, places, length: own }) =>
    places?.subarray(
      0,
      counts.subarray(0, own).reduce((sum, count) => sum + count, 0),
    ),
  );
  return {
    ids: joined(some.map(({ ids, length: own }) => ids.subarray(0, own))),
    counts: joined(some.map(({ counts, length: own }) => counts.subarray(0, own))),
    length,
    places: placed[0] === undefined ? undefined : joined(placed as Uint32Array[]),
  };
}
