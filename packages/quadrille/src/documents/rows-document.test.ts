import { createResultSerializer } from '@quadrille/formats';
import { iterate, lazySequence } from '@quadrille/model';
import type { IdSolutions, SparqlAnswer } from '@quadrille/sparql';
import { expect, test } from 'vitest';
import { literal } from '../index.js';
import { hostOf } from '../host/index.js';
import { bindingsDocument, rowsDocument, tripleRows } from './rows-document.js';
import { all, memory, q, repository } from '../testing/fixtures.js';

const FORMATS = ['srj', 'srx', 'csv', 'tsv', 'json'];

/** An answer of numbered literals; says how many batches were read. */
function answerOf(batches: readonly Uint32Array[], wait = false, text = (id: number) => `text ${id}`) {
  const read = { batches: 0, terms: 0, closed: false };
  const ids: IdSolutions = {
    batches: () => ({
      next() {
        const column = batches[read.batches];
        if (column === undefined) return undefined;
        read.batches++;
        const batch = { columns: [column], length: column.length };
        return wait ? Promise.resolve(batch) : batch;
      },
      close() {
        read.closed = true;
      },
    }),
    term(id) {
      read.terms++;
      const term = literal(text(id));
      return wait && id % 3 === 0 ? Promise.resolve(term) : term;
    },
  };
  const answer: Extract<SparqlAnswer, { type: 'bindings' }> = {
    type: 'bindings',
    variables: ['x'],
    batches: (async function* () {})(),
    ids,
  };
  return { answer, read };
}

const textOf = async (answer: Parameters<typeof bindingsDocument>[0]): Promise<string> =>
  (await all(iterate(bindingsDocument(answer, createResultSerializer('tsv'))))).join('');
const expected = (batches: readonly Uint32Array[], text = (id: number) => `text ${id}`): string =>
  ['?x', ...batches.flatMap((batch) => Array.from(batch, (id) => (id === 0 ? '' : `"${text(id)}"`))), ''].join('\n');
const ascending = (length: number, from = 1): Uint32Array => Uint32Array.from({ length }, (_, i) => from + i);

test.each([false, true])('every id gets its text, also where terms have to be waited for (%s)', async (wait) => {
  const batches = [ascending(4096), new Uint32Array(100), ascending(4096, 2000), Uint32Array.of(3, 3, 0, 3, 6, 7)];
  const { answer, read } = answerOf(batches, wait);
  expect(await textOf(answer)).toBe(expected(batches));
  expect(read.batches).toBe(batches.length);
});

test('more different ids than are kept, and texts too long to be kept', async () => {
  const batches = Array.from({ length: 20 }, (_, i) => ascending(4096, 1 + (i % 12) * 4096));
  const { answer } = answerOf(batches);
  expect(await textOf(answer)).toBe(expected(batches));
  const long = (id: number): string => `${id} `.repeat(300);
  const few = [Uint32Array.of(1, 2, 1, 2, 2, 0, 1)];
  expect(await textOf(answerOf(few, true, long).answer)).toBe(expected(few, long));
});

test('equal ids are asked for once', async () => {
  const { answer, read } = answerOf([
    new Uint32Array(4096).fill(7),
    Uint32Array.from({ length: 4096 }, (_, i) => i & 1),
  ]);
  await textOf(answer);
  expect(read.terms).toBe(2);
});

test('chunks are of about 64 KB, and nothing is read ahead of them', async () => {
  const { answer, read } = answerOf(Array.from({ length: 50 }, () => ascending(4096)));
  const chunks = bindingsDocument(answer, createResultSerializer('srj'));
  const first = await chunks.next();
  expect(first!.length).toBeLessThan(130_000);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(read.batches).toBe(1);
  let longest = 0;
  for (let i = 0; i < 20; i++) longest = Math.max(longest, (await chunks.next())!.length);
  expect(longest).toBeLessThan(130_000);
  expect(read.batches).toBeLessThan(16);
  await chunks.close();
  expect(read.closed).toBe(true);
});

test('rows that come slowly are handed on before a chunk is full', async () => {
  const { answer } = answerOf([]);
  const slowly = async function* () {
    for (let id = 1; id < 4; id++) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      yield { columns: [Uint32Array.of(id)], length: 1 };
    }
  };
  const slow = { ...answer, ids: { ...answer.ids!, batches: () => lazySequence(slowly) } };
  expect((await all(iterate(bindingsDocument(slow, createResultSerializer('csv'))))).length).toBeGreaterThan(2);
});

test.each(FORMATS)('%s: documents of a repository are those of its rows', async (format) => {
  const repo = await repository();
  await repo.add(
    Array.from({ length: 3000 }, (_, i) => q(`s${i % 700} p${i % 3} ${i % 2 ? `o${i}` : `"text<${i}>&\\"`}`)),
  );
  const text = 'SELECT ?s ?o ?none ?n { ?s ex:p1 ?o OPTIONAL { ?s ex:p2 ?n } } ORDER BY ?s ?o ?n';
  const rows = repo.select(text);
  const serializer = createResultSerializer(format);
  const whole = serializer.head(await rows.variables) + serializer.rows(await rows.toArray()) + serializer.end();
  expect((await hostOf(repo).serialize(text, format).toArray()).join('')).toBe(whole);
});

test.each(FORMATS)('%s: rows of any origin are written as those of an answer', async (format) => {
  const repo = await repository();
  await repo.add(Array.from({ length: 300 }, (_, i) => q(`s${i} p ${i % 2 ? `o${i}` : `"text<${i}>&\\"`}`)));
  const text = 'SELECT ?s ?p ?o { ?s ?p ?o }';
  const whole = (await hostOf(repo).serialize(text, format).toArray()).join('');
  const rows = await repo.select(text).toArray();
  const sources = { list: rows, stream: repo.select(text), triples: tripleRows(repo.quads()) };
  for (const [name, source] of Object.entries(sources))
    expect((await all(rowsDocument(format, ['s', 'p', 'o'], source))).join('').length, name).toBe(whole.length);
  expect((await all(rowsDocument(format, ['s', 'p', 'o'], rows))).join('')).toBe(whole);
  expect((await all(rowsDocument(format, ['s'], []))).join('')).toBe(
    (await hostOf(repo).serialize('SELECT ?s { ?s ?p "none" }', format).toArray()).join(''),
  );
});

test('rows are not written as ASK is, nor in formats that are not known', () => {
  for (const format of ['text/boolean', 'foo'])
    expect(() => rowsDocument(format, ['s'], [])).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});

test('a document that is left, or refused, keeps no snapshot', async () => {
  const db = await memory();
  const repo = await db.repository('r', { create: true });
  await repo.add(Array.from({ length: 5000 }, (_, i) => q(`s${i} p o${i}`)));
  for await (const chunk of hostOf(repo).serialize('SELECT * { ?s ?p ?o }', 'srj')) {
    expect(chunk).toContain('"vars"');
    break;
  }
  await expect(hostOf(repo).serialize('SELECT * { ?s ?p ?o }', 'text/boolean').toArray()).rejects.toMatchObject({
    code: 'INVALID_OPTION',
  });
  const controller = new AbortController();
  const aborted = hostOf(repo).serialize('SELECT * { ?s ?p ?o . ?a ?b ?c }', 'csv', { signal: controller.signal });
  const reading = (async () => {
    for await (const chunk of aborted) if (chunk !== '') controller.abort();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  await db.close();
});
