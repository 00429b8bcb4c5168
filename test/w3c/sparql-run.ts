/** Runs one test of the W3C SPARQL suites over the public interface of the library, on a store in memory. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseResults } from '@quadrille/formats';
import { parseSparql as parseRequest } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { blankNode, defaultGraph, iri, open, parseSparql, quad } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Database, Repository } from 'quadrille';
import { expect } from 'vitest';
import { expectSameAnswer, expectSameQuads } from './sparql-compare.js';
import { readAnswer, readQuads } from './sparql-documents.js';
import type { Answer } from './sparql-documents.js';
import { comparableAnswer } from './sparql-known.js';
import { asPublished } from '../published/publication.js';
import { newStore, STORE_KIND, storageOver } from '../servers/stores.js';
import { webIri } from './sparql-manifest.js';
import type { DatasetFiles, SparqlTest } from './sparql-manifest.js';

/** Query evaluation: the answer is compared as terms. */
export async function runQuery(test: SparqlTest): Promise<void> {
  const actual = await answerOf(test);
  const wanted = await readAnswer(resultFile(test));
  expectSameAnswer(comparableAnswer(test, actual), comparableAnswer(test, wanted), test);
}

/** Query evaluation where the expected document is a result format: ours is written in that format and read again. */
export async function runResultFormat(test: SparqlTest): Promise<void> {
  const format = extname(resultFile(test)).slice(1);
  await withRepository(test.before, async (repository) => {
    const chunks = await hostOf(repository)
      .serialize(readText(test), format, { baseIRI: webIri(test.request) })
      .toArray();
    const actual = parseResults(chunks.join(''), format);
    expectSameAnswer(comparableAnswer(test, actual), comparableAnswer(test, await readAnswer(resultFile(test))));
  });
}

/** Update evaluation: all graphs are compared. */
export async function runUpdate(test: SparqlTest): Promise<void> {
  const { after } = test;
  if (after === undefined || typeof after === 'string') throw new Error(`${test.id} has no dataset as its result`);
  await withRepository(test.before, async (repository) => {
    await repository.update(readText(test), { baseIRI: webIri(test.request) });
    expectSameQuads(await repository.quads().toArray(), await readDataset(after));
  });
}

/** Positive and negative syntax tests, of queries and of updates. */
export async function runSyntax(test: SparqlTest): Promise<void> {
  const parsed = parseSparql(readText(test), { baseIRI: webIri(test.request) });
  if (test.type.startsWith('Negative')) {
    await expect(parsed).rejects.toMatchObject({ name: 'ParseError', code: 'SPARQL_SYNTAX' });
  } else {
    const { kind } = await parsed;
    expect(kind === 'update' ? 'update' : 'query').toBe(/Update/.test(test.type) ? 'update' : 'query');
  }
}

async function answerOf(test: SparqlTest): Promise<Answer> {
  const ask = async (repository: Repository): Promise<Answer> => {
    const answer = await repository.query(readText(test), { baseIRI: webIri(test.request) });
    if (answer.type === 'boolean') return answer;
    if (answer.type === 'quads') return { type: 'quads', quads: await answer.quads.toArray() };
    return { type: 'bindings', variables: answer.variables, rows: await answer.rows.toArray() };
  };
  return withRepository(filesOf(test), ask, true);
}

/** The files of the test, and those that the query itself names in FROM and FROM NAMED. */
function filesOf(test: SparqlTest): DatasetFiles {
  const parsed = parseRequest(readText(test), { baseIRI: webIri(test.request) });
  if (parsed.kind === 'update' || parsed.dataset === undefined) return test.before;
  const folder = test.request.replace(/[^/]*$/, '');
  const names = [...parsed.dataset.default, ...parsed.dataset.named].map(({ value }) => value);
  const graphs = [...new Set(names)].map((name) => ({ name, file: folder + name.slice(webIri(folder).length + 1) }));
  const known = new Set(test.before.graphs.map(({ name }) => name));
  return { data: test.before.data, graphs: [...test.before.graphs, ...graphs.filter(({ name }) => !known.has(name))] };
}

/**
 * Which queries are asked of files on a web host: `all`, or a few. Publishing a store takes longer than a query:
 * `QUADRILLE_PUBLISHED=all npx vitest run test/w3c/sparql-query.test.ts` asks all.
 */
const PUBLISHED = process.env['QUADRILLE_PUBLISHED'];
const SOME = 12;

// One store in memory for all test files of a process. Nothing closes it: a hook of this module would run after the first of these
// files alone, and the others would find the store closed.
let store: Promise<Database> | undefined;
let repositories = 0;

/** In memory, or as `QUADRILLE_STORE` says. */
async function openStore(): Promise<Database> {
  if (STORE_KIND === undefined) return open(':memory:');
  const place = await newStore(STORE_KIND);
  const database = await open({ storage: storageOver(place) });
  closeStore = async () => {
    await database.close();
    await place.stop();
    store = undefined;
  };
  return database;
}

/** Ends what `QUADRILLE_STORE` has started. */
let closeStore = async (): Promise<void> => undefined;
export const endStore = (): Promise<void> => closeStore();

const isPublished = (): boolean => PUBLISHED === 'all' || (STORE_KIND === undefined && repositories % SOME === 0);

async function withRepository<T>(
  files: DatasetFiles,
  use: (repository: Repository) => Promise<T>,
  onlyReads = false,
): Promise<T> {
  store ??= openStore();
  const database = await store;
  const name = `test-${++repositories}`;
  const repository = await database.repository(name, { create: true });
  try {
    await repository.add(await readDataset(files));
    return await (onlyReads && isPublished() ? asPublished(database, name, use) : use(repository));
  } finally {
    await database.deleteRepository(name);
  }
}

/** Blank nodes of one file are other ones than those of the next. */
async function readDataset({ data, graphs }: DatasetFiles): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  let number = 0;
  for (const file of data) {
    const prefix = `d${number++}`;
    for (const each of await readQuads(file)) quads.push(renamed(each, prefix, each.graph));
  }
  for (const { file, name } of graphs) {
    const prefix = `d${number++}`;
    for (const each of await readQuads(file)) quads.push(renamed(each, prefix, iri(name)));
  }
  return quads;
}

function renamed(each: RDF.Quad, prefix: string, graph: RDF.Quad_Graph): RDF.Quad {
  const rename = <T extends RDF.Term>(term: T): T => {
    if (term.termType === 'BlankNode') return blankNode(prefix + term.value) as RDF.Term as T;
    return term.termType === 'Quad' ? (renamed(term as RDF.Quad, prefix, defaultGraph()) as RDF.Term as T) : term;
  };
  return quad(rename(each.subject), each.predicate, rename(each.object), rename(graph));
}

const readText = (test: SparqlTest): string => readFileSync(test.request, 'utf8');

function resultFile({ id, after }: SparqlTest): string {
  if (typeof after !== 'string') throw new Error(`${id} has no file of results`);
  return after;
}
