import { parseQuads } from '@quadrille/formats';
import type { Quad } from '@rdfjs/types';
import { termToNTriples } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

const AS = 'https://www.w3.org/ns/activitystreams#';
const TREE = 'https://w3id.org/tree#';
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const stream = (page = '', headers: Record<string, string> = {}): Promise<Response> =>
  server.get(`/acme/people/ldes${page}`, headers);
async function listed(quads: AsyncIterable<Quad>): Promise<Quad[]> {
  const all: Quad[] = [];
  for await (const quad of quads) all.push(quad);
  return all;
}
const quadsOf = async (response: Response): Promise<Quad[]> => {
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/trig']);
  return listed(parseQuads(await response.text(), { format: 'trig' }));
};

/** All pages, by following their relations as a client does. */
async function followed(): Promise<{ pages: number; quads: Quad[] }> {
  const quads: Quad[] = [];
  let pages = 0;
  for (let next: string | undefined = 'http://localhost:1/acme/people/ldes'; next !== undefined; pages++) {
    const page: Quad[] = await quadsOf(await server.get(new URL(next).pathname));
    quads.push(...page);
    next = page.find(({ predicate }) => predicate.value === `${TREE}node`)?.object.value;
  }
  return { pages, quads };
}

/** What a client that applies all members has: the statements of the last version of each subject. */
function replayed(quads: readonly Quad[]): string[] {
  const values = (subject: string, predicate: string): string[] =>
    quads
      .filter((quad) => quad.subject.value === subject && quad.predicate.value === predicate)
      .map(({ object }) => object.value);
  const members = quads
    .filter(({ predicate }) => predicate.value === `${TREE}member`)
    .map(({ object }) => object.value);
  const state = new Map<string, string[]>();
  for (const member of members) {
    const [about] = values(member, `${AS}object`);
    const payload = quads.filter(({ graph }) => graph.value === member);
    expect(values(member, TYPE)).toEqual([
      payload.length === 0 ? `${AS}Delete` : state.has(about!) ? `${AS}Update` : `${AS}Create`,
    ]);
    if (payload.length === 0) state.delete(about!);
    else
      state.set(
        about!,
        payload.map((quad) => [quad.subject, quad.predicate, quad.object].map(termToNTriples).join(' ')),
      );
  }
  return [...state.values()].flat().sort();
}

const update = async (text: string): Promise<unknown> => (await server.database.repository('acme/people')).update(text);

test('a client that applies all members has the statements of the head', async () => {
  for (let n = 0; n < 205; n++) {
    const [one, two] = [String(n % 7), String((n * 3) % 11)];
    await update(
      n % 5 === 4
        ? `DELETE WHERE { <urn:s${one}> ?p ?o }`
        : `DELETE { <urn:s${one}> <urn:p> ?o } INSERT { <urn:s${one}> <urn:p> ${String(n)} . <urn:s${two}> <urn:q> "${String(n)}"@en } WHERE { OPTIONAL { <urn:s${one}> <urn:p> ?o } }`,
    );
  }
  const repository = await server.database.repository('acme/people');
  const { pages, quads } = await followed();
  expect(pages).toBe(1 + Math.ceil(((await repository.revision()).number - 1) / 100));
  const now = (await repository.quads().toArray()).map(({ subject, predicate, object }) =>
    [subject, predicate, object].map(termToNTriples).join(' '),
  );
  expect(replayed(quads)).toEqual(now.sort());
  const revisions = quads.filter(({ predicate }) => predicate.value === 'urn:quadrille:lastOfRevision');
  expect(revisions.length).toBe((await repository.revision()).number - 1);
});

test('blank nodes are the same IRI in all members, and statements of several graphs are told once', async () => {
  await update(
    'INSERT DATA { <urn:a> <urn:p> _:b . _:b <urn:q> 1 . GRAPH <urn:g> { <urn:a> <urn:p> 2 } GRAPH <urn:h> { <urn:a> <urn:p> 2 } }',
  );
  const { quads } = await followed();
  expect(quads.some(({ object }) => object.termType === 'BlankNode')).toBe(false);
  const node = quads.find(({ predicate }) => predicate.value === 'urn:q')!.subject.value;
  expect(node).toMatch(/^urn:quadrille:node:/);
  const about = quads.filter(({ subject, predicate }) => subject.value === 'urn:a' && predicate.value === 'urn:p');
  expect(about.map(({ object }) => object.value).sort()).toEqual(['2', node].sort());
});

test('full pages stay; the last one and the stream are asked again', async () => {
  for (let n = 0; n < 100; n++) await update(`INSERT DATA { <urn:s> <urn:p> ${String(n)} }`);
  const last = await stream('/1');
  expect(last.headers.get('Cache-Control')).toBe('no-cache');
  await update('INSERT DATA { <urn:s> <urn:p> 100 }');
  const full = await stream('/1');
  expect(full.headers.get('Cache-Control')).toContain('immutable');
  const tag = full.headers.get('ETag')!;
  expect((await stream('/1', { 'If-None-Match': tag })).status).toBe(304);
  await update('INSERT DATA { <urn:s> <urn:p> 101 }');
  expect((await stream('/1', { 'If-None-Match': tag })).status).toBe(304);
  expect((await stream('/2')).status).toBe(200);
});

test('an empty repository, and what is not there', async () => {
  expect((await quadsOf(await stream())).length).toBeGreaterThan(8);
  expect((await quadsOf(await stream('/1'))).length).toBeGreaterThan(0);
  for (const page of ['/2', '/0', '/x', '/99999999999'])
    expect([page, (await stream(page)).status]).toEqual([page, 404]);
  expect((await stream('', { Accept: 'text/turtle' })).status).toBe(406);
});
