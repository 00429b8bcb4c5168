/** One random query in many forms, and over many forms of the same data: the same multiset of solutions each time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { open, type QuadPattern, type QueryOptions, type ReadView, sparql, termToText } from 'quadrille';
import { type Answer, OPTIONS, type Row } from '../sparql-random/answers.js';
import type { Chance } from '../sparql-random/chance.js';
import { countRows, isTooLarge, withoutOrder, withoutSlice } from '../sparql-random/check-query.js';
import { modesOf, sameAnswer } from '../sparql-random/compare.js';
import { PREFIXES, type QuadText, termOfText, toQuads } from '../sparql-random/data.js';
import type { Query } from '../sparql-random/syntax.js';
import { writeQuery } from '../sparql-random/write.js';
import { checkMeaning } from './check-meaning.js';
import { type Parametrised, parametrised, RELATIONS } from './relations.js';

/** Their values differ from call to call, or with the order of rows. */
const VARIES = /\b(?:RAND|UUID|STRUUID|BNODE|NOW|SAMPLE|GROUP_CONCAT|LIMIT|OFFSET|REDUCED)\b/i;
const MAX_ROWS = 1500;
/** Quads whose patterns are read. */
const PATTERN_QUADS = 5;
type View = Pick<ReadView, 'select' | 'prepare'>;
type Read = (text: string, options: QueryOptions) => AsyncIterable<Row> | Promise<AsyncIterable<Row>>;
const PROLOGUE = Object.entries(PREFIXES)
  .map(([name, iri]) => `PREFIX ${name}: <${iri}>\n`)
  .join('');

const asText =
  (view: View): Read =>
  (text, options) =>
    view.select(text, options) as AsyncIterable<Row>;

async function ask(read: Read, text: string): Promise<Answer> {
  try {
    const rows: Row[] = [];
    const options = { timeoutMs: OPTIONS.timeoutMs, maxRows: MAX_ROWS };
    for await (const row of await read(`BASE <${OPTIONS.baseIRI}>\n${PROLOGUE}${text}`, options)) rows.push(row);
    return { type: 'bindings', variables: [], rows };
  } catch (error) {
    const { code = 'none', message } = error as Error & { code?: string };
    return { type: 'error', code, message };
  }
}

const SLOT = /<urn:slot:\d+>/;

/** Values of a template stand for terms. */
const asTemplate =
  (view: View, { terms }: Parametrised): Read =>
  (text, options) => {
    const strings = text.split(SLOT);
    const request = sparql(Object.assign(strings, { raw: strings }), ...terms.map(termOfText));
    return view.select(request, options) as AsyncIterable<Row>;
  };

/** Bindings of variables stand for terms. */
const withBindings =
  (view: View, { terms }: Parametrised): Read =>
  (text, options) => {
    const bindings = Object.fromEntries(terms.map((term, i) => [`slot${i}`, termOfText(term)]));
    return view.select(text, { ...options, bindings }) as AsyncIterable<Row>;
  };

/** `SELECT *` has them too. */
const withoutSlots = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('slot')));

/** Parsed beforehand, and asked twice. */
const asPrepared =
  (view: View): Read =>
  async (text, options) => {
    const prepared = await view.prepare(text);
    for await (const _ of prepared.select(options));
    return prepared.select(options) as AsyncIterable<Row>;
  };

/** Whether the query can be compared at all. */
export function isComparable(query: Query): query is Query & { readonly form: 'SELECT' } {
  return query.form === 'SELECT' && !VARIES.test(writeQuery(withoutSlice(query)));
}

type Full = Query & { readonly form: 'SELECT' };

/** A query that has to give the same rows, and how it is asked. */
interface Form {
  readonly read: Read;
  readonly asked: Full;
  readonly back?: ((row: Row) => Row) | undefined;
}

export interface Compared {
  readonly differing: readonly string[];
  /** Of all answers over the store in memory. */
  readonly rows: number;
}

/** All ways to ask one store. */
const formsOf = (view: View, chance: Chance): readonly (readonly [name: string, formOf: (query: Full) => Form])[] => [
  ...RELATIONS.map(
    ({ name, of, back }) =>
      [name, (query: Full): Form => ({ read: asText(view), asked: of(query, chance), back })] as const,
  ),
  [
    'a template',
    (query) => {
      const form = parametrised(query, chance, (number) => `<urn:slot:${number}>`);
      return { read: asTemplate(view, form), asked: form.query };
    },
  ],
  [
    'bindings',
    (query) => {
      // A variable that a sub-select does not hand on is another one.
      const hasInner = JSON.stringify(query).includes('"pattern":"select"');
      const form = hasInner ? { query, terms: [] } : parametrised(query, chance, (number) => `?slot${number}`);
      return { read: withBindings(view, form), asked: form.query, back: withoutSlots };
    },
  ],
  ['prepared', (asked) => ({ read: asPrepared(view), asked })],
];

/** All, and the sixteen patterns of some quads. */
function patternsOf(quads: readonly RDF.Quad[]): readonly QuadPattern[] {
  const patterns: QuadPattern[] = [];
  for (const { subject, predicate, object, graph } of quads.slice(0, PATTERN_QUADS)) {
    for (let mask = 0; mask < 16; mask++) {
      patterns.push({
        ...(mask & 1 && { subject }),
        ...(mask & 2 && { predicate }),
        ...(mask & 4 && { object }),
        ...(mask & 8 && { graph }),
      });
    }
  }
  return patterns;
}

function sameQuads(found: readonly RDF.Quad[], wanted: readonly RDF.Quad[]): boolean {
  const text = ({ subject, predicate, object, graph }: RDF.Quad): string =>
    [subject, predicate, object, graph].map(termToText).join(' ');
  const texts = (all: readonly RDF.Quad[]): string => all.map(text).toSorted().join('\n');
  return texts(found) === texts(wanted);
}

/** Names the forms whose answers differ from that of the query over a store in memory. */
export async function checkMetamorphic(
  data: readonly QuadText[],
  queries: readonly Query[],
  chance: Chance,
): Promise<Compared> {
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-metamorphic-'));
  const [memory, disk] = [await open(':memory:'), await open(folder)];
  const differing: string[] = [];
  let rows = 0;
  try {
    const quads = toQuads(data);
    const half = Math.ceil(quads.length / 2);
    const inMemory = await memory.repository('a/r', { create: true });
    await inMemory.add(quads);
    const onDisk = await disk.repository('a/r', { create: true });
    await onDisk.add(quads.slice(0, half));
    const { number } = await onDisk.add(quads.slice(half));
    const full = queries.filter(isComparable).map((query) => withoutOrder(withoutSlice(query)) as typeof query);
    const wanted: Answer[] = [];
    for (const query of full) wanted.push(await ask(asText(inMemory), writeQuery(query)));
    for (const answer of wanted) rows += countRows(answer);
    const compare = async (name: string, formOf: (query: Full) => Form): Promise<void> => {
      for (const [i, query] of full.entries()) {
        const { read, asked, back } = formOf(query);
        const text = writeQuery(asked);
        const given = await ask(read, text);
        const answer =
          given.type === 'bindings' && back !== undefined ? { ...given, rows: given.rows.map(back) } : given;
        if (isTooLarge(answer) || isTooLarge(wanted[i]!)) continue;
        if (sameAnswer(answer, wanted[i]!, { modes: modesOf(query), byValue: true })) continue;
        differing.push(`${name}:\n${writeQuery(query)}\nas\n${text}`);
      }
    };
    for (const [name, formOf] of formsOf(inMemory, chance)) await compare(name, formOf);
    differing.push(...(await checkMeaning(inMemory, queries, chance)));
    const synchronous = async (where: string, view: ReadView): Promise<void> => {
      for (const pattern of patternsOf(quads))
        if (
          !sameQuads(view.quadsSync(pattern), inMemory.quadsSync(pattern)) ||
          view.hasSync(pattern) !== inMemory.hasSync(pattern)
        )
          differing.push(`synchronous reads ${where}: ${JSON.stringify(pattern)}`);
      if (!sameQuads(view.quadsSync(), await view.quads().toArray())) differing.push(`synchronous reads ${where}`);
    };
    await synchronous('in memory', inMemory);
    await synchronous('on a disk', onDisk);
    await compare('on a disk', (asked) => ({ read: asText(onDisk), asked }));
    const branch = await onDisk.branches.open('side', { create: true });
    await onDisk.update('INSERT DATA { <urn:main> <urn:p> 1 }');
    await synchronous('on a branch', branch);
    await compare('on a branch', (asked) => ({ read: asText(branch), asked }));
    await onDisk.update('INSERT DATA { <urn:later> <urn:p> 1 } ; DELETE WHERE { ?s ?p ?o }');
    await compare('a revision, later', (asked) => ({ read: asText(onDisk.at(number)), asked }));
    await synchronous('at a revision, later', onDisk.at(number));
    await onDisk.maintenance.compact();
    await synchronous('at a revision behind a compaction', onDisk.at(number));
    await compare('a revision behind a compaction', (asked) => ({ read: asText(onDisk.at(number)), asked }));
  } finally {
    await Promise.all([memory.close(), disk.close()]);
    await rm(folder, { recursive: true, force: true });
  }
  return { differing, rows };
}
