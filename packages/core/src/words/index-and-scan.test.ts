/** What the index finds is what a scan of all literals finds, with the scores that the formula gives. */
import { iri, literal, quad } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { platformEnv } from '../runtime/env.js';
import { searchLiterals } from '../read/search-literals.js';
import type { Snapshot } from '../read/snapshot.js';
import type { Repository } from '../repository.js';
import { Store } from '../store.js';
import { Random } from '../testing/random.js';
import { isWithin } from './edits.js';
import { LENGTHS, lengthByte } from './postings.js';
import { fitsWild, parseTextQuery, type TextQuery } from './text-query.js';
import { type Fold, wordsOf } from './words.js';

const VOCABULARY = [
  'moon',
  'Moons',
  'lunar',
  'dwarf',
  'planet',
  'Straße',
  'café',
  'the',
  'of',
  'a',
  'müller',
  '日本',
  "o'neil",
];
const QUESTIONS = [
  'moon',
  'moon OR planet',
  '+moon -the',
  'dwarf AND planet',
  '"dwarf planet"',
  '"planet dwarf"~3',
  '"the moon of"',
  'moo*',
  'l?nar pl*t',
  'moom~1 plnaet~',
  '(moon OR lunar) AND NOT (the AND of)',
  'STRASSE cafe',
  '日',
  '"日本"',
  'planet^3 moon^0.5',
  'nothing',
];

interface Scanned {
  readonly id: number;
  readonly term: RDF.Literal;
  readonly words: readonly string[];
}

async function scanned(snapshot: Snapshot, fold: Fold): Promise<Scanned[]> {
  const { dictionary, decoder } = snapshot.timeline;
  const found: Scanned[] = [];
  for (let id = 2; id < snapshot.record.termMark; id++) {
    const entry = dictionary.tryEntryIfAny(id);
    if (!entry || entry.length === 0) continue;
    const term = await decoder.decode(id);
    if (term.termType !== 'Literal' || !/#(string|langString)$/.test(term.datatype.value)) continue;
    const words = [...wordsOf(term.value, fold)].map(({ text }) => text);
    if (words.length > 0) found.push({ id, term, words });
  }
  return found;
}

/** What scores depend on. */
interface Figures {
  readonly all: number;
  readonly average: number;
  /** By word: how many literals have it. */
  readonly counts: ReadonlyMap<string, number>;
}

function figuresOf(all: readonly Scanned[]): Figures {
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sum = all.reduce((total, { words }) => total + LENGTHS[lengthByte(words.length)]!, 0);
  return { all: all.length, average: sum / all.length, counts };
}

/** The score of a literal; `undefined` if it does not fit. */
function scoreOf(query: TextQuery, own: Scanned, figures: Figures): number | undefined {
  const { words } = own;
  const norm = 1.2 * (0.25 + (0.75 * LENGTHS[lengthByte(words.length)]!) / figures.average);
  const rarity = (word: string): number => {
    const count = figures.counts.get(word) ?? 0;
    return Math.log(1 + (figures.all - count + 0.5) / (count + 0.5));
  };
  const weighted = (weight: number, count: number): number | undefined =>
    count === 0 ? undefined : (weight * count) / (count + norm);
  switch (query.type) {
    case 'word':
      return weighted(query.boost * rarity(query.word), words.filter((word) => word === query.word).length);
    case 'phrase': {
      if (query.slop > 0) return query.words.every((word) => words.includes(word)) ? Number.NaN : undefined;
      let count = 0;
      for (let at = 0; at < words.length; at++) if (query.words.every((word, i) => words[at + i] === word)) count++;
      return weighted(query.boost * query.words.reduce((sum, word) => sum + rarity(word), 0), count);
    }
    case 'pattern': {
      const fits = (word: string): boolean =>
        word.startsWith(query.prefix) && fitsWild(Array.from(word.slice(query.prefix.length)), query.rest);
      return words.some(fits) ? query.boost : undefined;
    }
    case 'fuzzy': {
      let sum: number | undefined;
      for (const word of new Set(words)) {
        const distance = isWithin([...query.word], [...word], query.edits);
        if (distance === undefined) continue;
        const share = 1 - distance / Math.min([...query.word].length, [...word].length);
        if (share < 0) continue;
        const score = weighted(query.boost * share * rarity(word), words.filter((each) => each === word).length)!;
        sum = (sum ?? 0) + score;
      }
      return sum;
    }
    case 'clauses': {
      const of = (occurs: string): (number | undefined)[] =>
        query.clauses.filter((clause) => clause.occurs === occurs).map((clause) => scoreOf(clause.query, own, figures));
      const [must, should] = [of('must'), of('should')];
      if (of('not').some((score) => score !== undefined) || must.includes(undefined)) return undefined;
      const some = [...must, ...should].filter((score) => score !== undefined);
      if (some.length === 0) return undefined;
      return query.boost * some.reduce((sum, score) => sum + score, 0);
    }
  }
}

async function compare(snapshot: Snapshot, fold: Fold, question: string): Promise<void> {
  const all = await scanned(snapshot, fold);
  const query = parseTextQuery(question, fold)!;
  const figures = figuresOf(all);
  const expected = new Map<number, number>();
  for (const each of all) {
    const score = scoreOf(query, each, figures);
    if (score !== undefined) expected.set(each.id, score);
  }
  const found = await searchLiterals(
    { timeline: snapshot.timeline, termMark: snapshot.record.termMark },
    { text: question, fold },
  );
  const ids = [...found.ids];
  if ([...expected.values()].some(Number.isNaN)) {
    // Of phrases with moves the scan knows only which may fit.
    expect(
      ids.every((id) => expected.has(id)),
      question,
    ).toBe(true);
    return;
  }
  expect(ids, `${question} at ${snapshot.number}`).toEqual([...expected.keys()]);
  for (const [i, id] of ids.entries()) expect(found.scores[i], question).toBeCloseTo(expected.get(id)!, 9);
}

function someText(random: Random): RDF.Literal {
  const text = Array.from({ length: 1 + random.below(random.below(20) === 0 ? 60 : 7) }, () =>
    random.of(VOCABULARY),
  ).join(random.of([' ', ', ', '\n', ' - ']));
  return random.below(3) === 0 ? literal(text, random.of(['en', 'de', 'en-GB'])) : literal(text);
}

async function someChange(random: Random, repository: Repository): Promise<void> {
  const count = 1 + random.below(random.below(5) === 0 ? 120 : 8);
  const quads = Array.from({ length: count }, () =>
    quad(iri(`http://e/${random.below(50)}`), iri('http://e/label'), someText(random)),
  );
  if (random.below(4) > 0) {
    await repository.commit(quads, []);
    return;
  }
  const load = await repository.beginLoad();
  const utf8 = new TextEncoder();
  for (const { subject, predicate, object } of quads) {
    const [s, p, o] = [`<${subject.value}>`, `<${predicate.value}>`, JSON.stringify(object.value)].map((text) => {
      const bytes = utf8.encode(text);
      return load.term(bytes, 0, bytes.length);
    });
    load.quad(s!, p!, o!, 1);
  }
  await load.writeChunk();
  if (random.below(3) === 0) await load.close();
  else await repository.finishLoad(load, {});
}

const open = async (driver: MemoryDriver): Promise<{ store: Store; repository: Repository }> => {
  const tuning = { tailTerms: 64, loadTailTerms: 16, tierRuns: 3, memtableRows: 200 };
  const store = await Store.open(await StorageEngine.open(driver), { env: platformEnv(), tuning });
  return { store, repository: await store.repository('a/r', true) };
};

test.each([1, 2])('at every revision, with loads that fail, compactions and reopenings (seed %i)', async (seed) => {
  const random = new Random(seed);
  const fold: Fold = seed === 2 ? 'diacritics' : 'case';
  const driver = new MemoryDriver();
  let { store, repository } = await open(driver);
  for (let step = 0; step < 60; step++) {
    await someChange(random, repository);
    const kind = random.below(12);
    if (kind === 0) await repository.maintenance.compact();
    if (kind === 1) {
      await store.close();
      ({ store, repository } = await open(driver));
    }
    if (kind > 6) continue;
    const { number } = repository.head;
    const snapshot = await repository.snapshotAt(random.below(2) === 0 ? number : 1 + random.below(number));
    await compare(snapshot, fold, random.of(QUESTIONS));
    snapshot.close();
  }
  const { timeline } = repository.handle;
  expect(timeline.dictionary.textIndex).toBeDefined();
  const last = repository.snapshot();
  for (const question of QUESTIONS) await compare(last, fold, question);
  last.close();
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
