/**
 * At each of the 37 releases of an ontology, as revisions with branches and merges, indexes over values find what a scan of all quads
 * finds: when the release is the head, and again as old revisions after all of them, compacted and opened again.
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Parser } from 'n3';
import { literal, open, type Repository, termToText } from 'quadrille';
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import { isWithin } from '../../packages/core/src/words/edits.js';
import { wordsOf } from '../../packages/core/src/words/words.js';
import { DATA_FOLDER, missing } from './shared-data.js';

const DATA = join(DATA_FOLDER, 'fibo');
const skipped = missing(DATA);

interface Release {
  readonly version: string;
  readonly total: number;
  readonly full?: string;
  readonly add?: string;
  readonly del?: string;
}

interface Text {
  readonly row: string;
  readonly value: string;
  readonly words: readonly string[];
}

/** A date and time. */
interface Instant {
  readonly row: string;
  readonly value: string;
  readonly ms: number;
  readonly isZoned: boolean;
}

/** What a release has. */
interface Literals {
  readonly texts: readonly Text[];
  readonly instants: readonly Instant[];
}

/** A question, how an index answers it at a revision, and what a scan has found there. */
interface Check {
  readonly name: string;
  readonly ask: (repo: Repository, at: number) => Promise<readonly string[]>;
  readonly expected: readonly string[];
}

/** Makes the questions for one release. */
type MakeChecks = (literals: Literals, below: (limit: number) => number) => readonly Check[];

const rowOf = (...terms: readonly (RDF.Term | undefined)[]): string =>
  terms.map((term) => (term === undefined ? '' : termToText(term))).join(' ');

const rowsOf = (texts: readonly Text[], fits: (text: Text) => boolean): string[] =>
  texts
    .filter(fits)
    .map(({ row }) => row)
    .toSorted();

/** Searches for words. */
const searches: MakeChecks = ({ texts }, below) => {
  const some = texts[below(texts.length)]!.words;
  const word = some[below(some.length)]!;
  const other = texts[below(texts.length)]!.words[0]!;
  const at = below(Math.max(1, some.length - 1));
  const pair = some.slice(at, at + 2);
  const questions: readonly (readonly [string, (words: readonly string[]) => boolean])[] = [
    [word, (words) => words.includes(word)],
    [`${word} OR ${other}`, (words) => words.includes(word) || words.includes(other)],
    [`+${word} -${other}`, (words) => words.includes(word) && !words.includes(other)],
    [`"${pair.join(' ')}"`, (words) => words.some((_, from) => pair.every((one, i) => words[from + i] === one))],
    [`${word.slice(0, 3)}*`, (words) => words.some((one) => one.startsWith(word.slice(0, 3)))],
    [`${word}~1`, (words) => words.some((one) => isNear(word, one))],
  ];
  return questions.map(([question, fits]) => ({
    name: question,
    ask: async (repo, revision) => {
      const rows: string[] = [];
      for (let offset = 0; ; offset += PAGE) {
        const { hits, total } = await repo.search(question, { at: revision, limit: PAGE, offset });
        for (const hit of hits) rows.push(rowOf(hit.subject, hit.property, hit.literal, hit.graph));
        const scores = hits.map(({ score }) => score);
        expect(scores, question).toEqual(scores.toSorted((x, y) => y - x));
        if (offset + hits.length >= total) return rows.toSorted();
      }
    },
    expected: rowsOf(texts, ({ words }) => fits(words)),
  }));
};

const PAGE = 10_000;

const isNear = (word: string, other: string): boolean => isWithin([...word], [...other], 1) !== undefined;

/** Filters that the index of words makes faster. */
const filters: MakeChecks = ({ texts }, below) => {
  const { value } = texts[below(texts.length)]!;
  const from = below(Math.max(1, value.length - 12));
  const piece = value.slice(from, from + 12);
  const start = value.slice(0, 9);
  const isString = 'DATATYPE(?o) IN (xsd:string, rdf:langString)';
  const quoted = (text: string): string => termToText(literal(text));
  const questions: readonly (readonly [string, (text: string) => boolean])[] = [
    [`CONTAINS(?o, ${quoted(piece)})`, (text) => text.includes(piece)],
    [`STRSTARTS(?o, ${quoted(start)})`, (text) => text.startsWith(start)],
    [`STR(?o) = ${quoted(value)} && ${isString}`, (text) => text === value],
    [
      `LCASE(STR(?o)) = ${quoted(value.toLowerCase())} && ${isString}`,
      (text) => text.toLowerCase() === value.toLowerCase(),
    ],
  ];
  return questions.map(([filter, fits]) => ({
    name: filter,
    ask: async (repo, revision) =>
      (await repo.at(revision).select(`SELECT * { GRAPH ?g { ?s ?p ?o FILTER(${filter}) } }`).toArray())
        .map(({ s, p, o, g }) => rowOf(s, p, o, g))
        .toSorted(),
    expected: rowsOf(texts, ({ value: text }) => fits(text)),
  }));
};

const ZONE_MS = 14 * 3_600_000;

/** Ranges of the index of order. */
const ranges: MakeChecks = ({ instants }, below) => {
  const [one, other] = [instants[below(instants.length)]!, instants[below(instants.length)]!];
  const [from, to] = one.ms < other.ms ? [one, other] : [other, one];
  const isLess = (a: Instant, b: Instant): boolean => a.ms < b.ms - (a.isZoned === b.isZoned ? 0 : ZONE_MS);
  const isAtMost = (a: Instant, b: Instant): boolean => isLess(a, b) || (a.ms === b.ms && a.isZoned === b.isZoned);
  const constant = ({ value }: Instant): string => `"${value}"^^xsd:dateTime`;
  const filter = `?o >= ${constant(from)} && ?o < ${constant(to)}`;
  const expected = instants.filter((each) => isAtMost(from, each) && isLess(each, to)).map(({ row }) => row);
  return [
    {
      name: filter,
      ask: async (repo, revision) =>
        (await repo.at(revision).select(`SELECT * { GRAPH ?g { ?s ?p ?o FILTER(${filter}) } }`).toArray())
          .map(({ s, p, o, g }) => rowOf(s, p, o, g))
          .toSorted(),
      expected: expected.toSorted(),
    },
  ];
};

const KINDS: readonly MakeChecks[] = [searches, filters, ranges];

/** All strings with words, dates and times at the head. */
async function literalsOf(repo: Repository): Promise<Literals> {
  const texts: Text[] = [];
  const instants: Instant[] = [];
  const known = new Map<string, readonly string[]>();
  for await (const { subject, predicate, object, graph } of repo.quads()) {
    if (object.termType === 'Literal' && object.datatype.value.endsWith('#dateTime')) {
      const isZoned = /(?:Z|[+-]\d\d:\d\d)$/.test(object.value);
      const ms = Date.parse(isZoned ? object.value : `${object.value}Z`);
      if (Number.isFinite(ms))
        instants.push({ row: rowOf(subject, predicate, object, graph), value: object.value, ms, isZoned });
    }
    if (object.termType !== 'Literal' || !/#(?:string|langString)$/.test(object.datatype.value)) continue;
    const { value } = object;
    let words = known.get(value);
    if (words === undefined) known.set(value, (words = Array.from(wordsOf(value, 'case'), ({ text }) => text)));
    if (words.length > 0) texts.push({ row: rowOf(subject, predicate, object, graph), value, words });
  }
  return { texts, instants };
}

/** Every other release comes on a branch, and is merged. */
async function addRelease(main: Repository, { version, full, add, del }: Release, onBranch: boolean): Promise<number> {
  const target = onBranch ? await main.branches.open(`release/${version}`, { create: true }) : main;
  if (del !== undefined)
    await target.remove(new Parser({ format: 'N-Quads' }).parse(gunzipSync(readFileSync(join(DATA, del))).toString()));
  await target.load(createReadStream(join(DATA, (full ?? add)!)).pipe(createGunzip()), {
    format: 'application/n-quads',
  });
  return onBranch ? (await main.branches.merge(`release/${version}`)).number : (await main.revision()).number;
}

describe.skipIf(skipped !== '')(`the releases of an ontology${skipped}`, () => {
  test('indexes find at each one what a scan finds', { timeout: 600_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quadrille-fibo-'));
    let state = 41;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const releases = JSON.parse(readFileSync(join(DATA, 'manifest.json'), 'utf8')) as Release[];
    expect(releases).toHaveLength(37);
    let db = await open(join(directory, 'store'), { create: true, durability: 'process' });
    try {
      const all: { readonly number: number; readonly checks: readonly Check[] }[] = [];
      const compare = async (repo: Repository, { number, checks }: (typeof all)[number]): Promise<void> => {
        for (const { name, ask, expected } of checks)
          expect(await ask(repo, number), `${name} at ${String(number)}`).toEqual(expected);
      };
      let repo = await db.repository('fibo/ontologies', { create: true });
      await repo.settings.set({ search: { text: true } });
      for (const [i, release] of releases.entries()) {
        const number = await addRelease(repo, release, i % 2 === 1);
        expect(await repo.size(), release.version).toBe(release.total);
        const literals = await literalsOf(repo);
        all.push({ number, checks: KINDS.flatMap((make) => make(literals, below)) });
        await compare(repo, all.at(-1)!);
      }
      await repo.maintenance.compact();
      await db.close();
      db = await open(join(directory, 'store'));
      repo = await db.repository('fibo/ontologies');
      for (const each of all) await compare(repo, each);
      expect((await repo.maintenance.verify()).problems).toEqual([]);
    } finally {
      await db.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
