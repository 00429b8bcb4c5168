/** Searches for words in a snapshot: hits are the quads whose objects have them. */
import type * as RDF from '@rdfjs/types';
import { Pacer, type Snapshot, toRevision } from '@quadrille/core';
import type { FoundLiteral, FoundLiterals, IdPattern, IdScan } from '@quadrille/sparql';
import type { SearchAnswer, SearchFacet, SearchHit, SearchOptions } from '../api/index.js';
import { READ_OPTIONS } from '../options/calls.js';
import { checkOptions, endsOf, type Rule, type Rules } from '../options/check-options.js';
import { checkedLater, count, text } from '../options/rules.js';
import { SnapshotIdDataset } from '../sparql/id-datasets.js';

// A constant, so that a search loads no SPARQL.
const MISS: typeof import('@quadrille/sparql').MISS = -1;

const iriTerm: Rule = (value) =>
  typeof value === 'object' && value !== null && (value as Partial<RDF.Term>).termType === 'NamedNode'
    ? undefined
    : 'an RDF/JS named node';

const SEARCH_TEXT: Rules<{ readonly text: string }> = { text };
const MOST_HITS = 10_000;
const MOST_FACETS = 16;

const SEARCH_OPTIONS: Rules<SearchOptions> = {
  ...READ_OPTIONS,
  at: checkedLater,
  property: iriTerm,
  graph: iriTerm,
  language: text,
  limit: count('hits', 0, MOST_HITS),
  offset: count('hits'),
  facets: (value) =>
    Array.isArray(value) && value.length <= MOST_FACETS && value.every((item) => iriTerm(item) === undefined)
      ? undefined
      : `a list of at most ${String(MOST_FACETS)} RDF/JS named nodes`,
};

const LIMIT = 10;
/** Quads that are read in the time of one lookup. */
const ROWS_OF_LOOKUP = 128;
/** Lookups before the clock is asked. */
const STEPS_AT_ONCE = 64;
/** Values of a facet. */
const MOST_VALUES = 100;

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function checkSearch(text: string, options: SearchOptions): void {
  checkOptions({ text }, SEARCH_TEXT, 'search');
  checkOptions(options, SEARCH_OPTIONS, 'search');
}

/** @throws ParseError `TEXT_SYNTAX`; ConflictError `NO_INDEX` */
export async function searchSnapshot(snapshot: Snapshot, text: string, options: SearchOptions): Promise<SearchAnswer> {
  return new SnapshotSearch(snapshot, options).answer(text);
}

/** A quad that has a literal, by ids. */
interface HitRow extends FoundLiteral {
  readonly s: number;
  readonly p: number;
  readonly g: number;
}

type TakeRow = (window: IdScan, row: number) => void;

const isAllowed = ({ properties, graphs }: FoundLiterals, { p, g }: IdScan, row: number): boolean =>
  properties?.has(p[row]!) !== false && graphs?.has(g[row]!) !== false;

/** Whether to read all of some quads costs less than to look terms up among them. */
const isScanned = (quads: number, terms: number): boolean => quads < terms * ROWS_OF_LOOKUP;

/** A bit for each id up to the last one of a list that ascends. */
function bitsOf(ids: Uint32Array): Uint32Array {
  const bits = new Uint32Array((ids.at(-1)! >>> 5) + 1);
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  return bits;
}

class SnapshotSearch {
  readonly #dataset: SnapshotIdDataset;
  readonly #pacer: Pacer;
  /** Subjects of all hits. */
  readonly #subjects = new Set<number>();

  constructor(
    private readonly snapshot: Snapshot,
    private readonly options: SearchOptions,
  ) {
    this.#dataset = new SnapshotIdDataset(snapshot);
    this.#pacer = new Pacer(snapshot.timeline.env, undefined, endsOf(options));
  }

  async answer(text: string): Promise<SearchAnswer> {
    const { property, graph, language, limit = LIMIT, offset = 0, facets = [] } = this.options;
    const ends = endsOf(this.options) ?? NO_ENDS;
    const found = await this.#dataset.search({ text, language }, ends);
    const [p, g] = [await this.#idOf(property), await this.#idOf(graph)];
    const rows: HitRow[] = [];
    let total = 0;
    // A term that the repository does not have stands in no quad.
    if ((property === undefined) === (p === 0) && (graph === undefined) === (g === 0)) {
      const { literals } = found;
      let best: FoundLiteral | undefined;
      const count = (window: IdScan, row: number): void => {
        if (facets.length > 0) this.#subjects.add(window.s[row]!);
        total++;
      };
      const collect = (window: IdScan, row: number): void => {
        if (total >= offset && rows.length < limit)
          rows.push({ s: window.s[row]!, p: window.p[row]!, g: window.g[row]!, ...best! });
        count(window, row);
      };
      const nextBest = (): number => {
        best = total < offset + limit ? literals.next() : undefined;
        return best?.id ?? 0;
      };
      await this.#eachRow(found, p, g, nextBest, collect);
      await this.#eachOther(found, p, g, count);
    }
    const hits: SearchHit[] = [];
    for (const row of rows) hits.push(await this.#hit(row));
    const counted: Record<string, readonly SearchFacet[]> = {};
    const subjects = Uint32Array.from(this.#subjects).sort();
    for (const facet of facets) counted[facet.value] = await this.#facet(facet, subjects);
    return { revision: toRevision(this.snapshot.record).id, total, hits, facets: counted };
  }

  /** Calls `take` with the quads of all literals that are not among the best, in the order in which they lie. */
  async #eachOther(found: FoundLiterals, p: number, g: number, take: TakeRow): Promise<void> {
    const rest = found.literals.rest();
    if (rest.length === 0) return;
    const pattern = { s: 0, p, o: 0, g };
    if (isScanned(await this.#dataset.estimate(pattern), rest.length)) {
      await this.#scan(pattern, 'o', rest, (window, row) => {
        if (isAllowed(found, window, row)) take(window, row);
      });
      return;
    }
    let at = 0;
    await this.#eachRow(found, p, g, () => rest[at++] ?? 0, take);
  }

  /** Calls `take` with the quads that have the literals of `next`, which ends with 0. */
  async #eachRow(found: FoundLiterals, p: number, g: number, next: () => number, take: TakeRow): Promise<void> {
    const seeker = this.#dataset.seeker({ s: false, p: p !== 0, o: true, g: g !== 0 });
    try {
      for (let literal = next(), step = 0; literal !== 0; literal = next(), step++) {
        seeker.seek(0, p, literal, g);
        for (let rows = seeker.next(); rows !== 0; rows = seeker.next()) {
          if (rows === MISS) {
            await seeker.fetch();
            continue;
          }
          for (let row = seeker.start; row < seeker.end; row++) if (isAllowed(found, seeker, row)) take(seeker, row);
        }
        if (step % STEPS_AT_ONCE === 0 && this.#pacer.due()) await this.#pacer.pause();
      }
    } finally {
      seeker.close();
    }
  }

  async #hit({ s, p, g, id, score }: HitRow): Promise<SearchHit> {
    return {
      subject: (await this.#term(s)) as RDF.Quad_Subject,
      property: (await this.#term(p)) as RDF.NamedNode,
      graph: (await this.#term(g)) as RDF.Quad_Graph,
      literal: (await this.#term(id)) as RDF.Literal,
      score,
    };
  }

  /** Reads all quads that match, and takes those with one of these ids in a column. */
  async #scan(pattern: IdPattern, column: 's' | 'o', ids: Uint32Array, take: TakeRow): Promise<void> {
    const bits = bitsOf(ids);
    const scan = this.#dataset.scan(pattern);
    try {
      for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
        if (rows === MISS) await scan.fetch();
        else {
          const { [column]: own, end } = scan;
          for (let row = scan.start; row < end; row++) {
            const id = own[row]!;
            const word = id >>> 5;
            if (word < bits.length && (bits[word]! & (1 << (id & 31))) !== 0) take(scan, row);
          }
        }
        if (this.#pacer.due()) await this.#pacer.pause();
      }
    } finally {
      scan.close();
    }
  }

  // Each subject counts once for a value, in whatever graphs it has it.
  async #facet(property: RDF.NamedNode, subjects: Uint32Array): Promise<SearchFacet[]> {
    const p = await this.#idOf(property);
    const counts = new Map<number, number>();
    let lastS = 0;
    let lastO = 0;
    const count = ({ s, o }: IdScan, row: number): void => {
      if (o[row] === lastO && s[row] === lastS) return;
      lastS = s[row]!;
      lastO = o[row]!;
      counts.set(lastO, (counts.get(lastO) ?? 0) + 1);
    };
    if (p !== 0 && subjects.length > 0) {
      const pattern = { s: 0, p, o: 0, g: 0 };
      if (isScanned(await this.#dataset.estimate(pattern), subjects.length))
        await this.#scan(pattern, 's', subjects, count);
      else await this.#seekSubjects(p, subjects, count);
    }
    const most = [...counts].sort(([x, ofX], [y, ofY]) => ofY - ofX || x - y).slice(0, MOST_VALUES);
    const values: SearchFacet[] = [];
    for (const [id, number] of most) values.push({ value: await this.#term(id), count: number });
    return values;
  }

  async #seekSubjects(p: number, subjects: Uint32Array, take: TakeRow): Promise<void> {
    const seeker = this.#dataset.seeker({ s: true, p: true, o: false, g: false });
    try {
      for (const [step, subject] of subjects.entries()) {
        seeker.seek(subject, p, 0, 0);
        for (let rows = seeker.next(); rows !== 0; rows = seeker.next())
          if (rows === MISS) await seeker.fetch();
          else for (let row = seeker.start; row < seeker.end; row++) take(seeker, row);
        if (step % STEPS_AT_ONCE === 0 && this.#pacer.due()) await this.#pacer.pause();
      }
    } finally {
      seeker.close();
    }
  }

  async #idOf(term: RDF.Term | undefined): Promise<number> {
    if (term === undefined) return 0;
    let id = this.#dataset.find(term);
    for (; id === MISS; id = this.#dataset.find(term)) await this.#dataset.fetchTerm();
    return id;
  }

  async #term(id: number): Promise<RDF.Term> {
    let term = this.#dataset.term(id);
    for (; term === undefined; term = this.#dataset.term(id)) await this.#dataset.fetchTerm();
    return term;
  }
}

const NO_ENDS = { throwIfAborted: (): void => undefined };
