import { parseQuads } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BASE, query, type TestServer, testServer } from '../../testing/server.js';

const HYDRA = 'http://www.w3.org/ns/hydra/core#';
const VOID = 'http://rdfs.org/ns/void#';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  const many = Array.from({ length: 250 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  const body = `${many}
    <urn:a> <urn:name> "x" , "x"@en , "say \\"hi\\"" , "line\\nbreak" ; <urn:knows> <urn:b> .
    <urn:g> { <urn:a> <urn:in> <urn:g> . }`;
  await server.send('POST', '/acme/people/statements', { body, headers: { 'Content-Type': 'application/trig' } });
});
afterEach(() => server.database.close());

/** A client as those of Triple Pattern Fragments are: it knows one address, and finds all others by the controls. */
class Client {
  requests = 0;

  constructor(private readonly start: string) {}

  async page(url: string): Promise<{ data: RDF.Quad[]; controls: RDF.Quad[] }> {
    this.requests++;
    const response = await server.handler(new Request(url, { headers: { Accept: 'application/trig' } }));
    expect([url, response.status]).toEqual([url, 200]);
    const quads: RDF.Quad[] = [];
    for await (const quad of parseQuads(await response.text(), { format: 'application/trig', baseIRI: url }))
      quads.push(quad);
    const topic = quads.find(({ predicate }) => predicate.value === 'http://xmlns.com/foaf/0.1/primaryTopic')!;
    expect(topic.object.value).toBe(url);
    const isControl = ({ graph }: RDF.Quad): boolean => graph.equals(topic.graph);
    return { data: quads.filter((quad) => !isControl(quad)), controls: quads.filter(isControl) };
  }

  async form(): Promise<string> {
    const { controls } = await this.page(this.start);
    const template = controls.find(({ predicate }) => predicate.value === `${HYDRA}template`)!.object.value;
    const mappings = controls.filter(({ predicate }) => predicate.value === `${HYDRA}property`);
    expect(mappings.map(({ object }) => object.value.replace(/.*#/, '')).toSorted()).toEqual([
      'object',
      'predicate',
      'subject',
    ]);
    return template;
  }

  /** All triples of a pattern, over all pages. */
  async triples(pattern: Record<string, string>): Promise<{ triples: string[]; total: number }> {
    const template = await this.form();
    const [, fixed = '', operator = ''] = /^(.*)\{([?&])subject,predicate,object\}$/.exec(template) ?? [];
    const filled = Object.keys(pattern).length === 0 ? fixed : `${fixed}${operator}${query(pattern)}`;
    const triples: string[] = [];
    let total = -1;
    for (let url: string | undefined = filled; url !== undefined;) {
      const { data, controls } = await this.page(url);
      triples.push(
        ...data.map(({ subject, predicate, object }) => `${subject.value} ${predicate.value} ${object.value}`),
      );
      const of = (name: string): string | undefined =>
        controls.find(({ subject, predicate }) => subject.value === url && predicate.value === name)?.object.value;
      total = Number(of(`${VOID}triples`));
      expect(of(`${HYDRA}totalItems`)).toBe(String(total));
      url = of(`${HYDRA}next`);
    }
    return { triples, total };
  }
}

const client = (more = ''): Client => new Client(`${BASE}/acme/people/tpf${more}`);

describe('a client that knows one address', () => {
  test('finds all triples of the default graph, page by page', async () => {
    const { triples, total } = await client().triples({});
    expect(total).toBe(255);
    expect(new Set(triples).size).toBe(254);
    expect(triples).toHaveLength(255);
    expect(triples.some((triple) => triple.includes('urn:in'))).toBe(false);
  });

  test('asks for patterns', async () => {
    const fragments = client();
    const { triples, total } = await fragments.triples({ predicate: 'urn:p' });
    expect([triples.length, total, fragments.requests]).toEqual([250, 250, 4]);
    expect((await fragments.triples({ subject: 'urn:a', predicate: 'urn:knows' })).triples).toEqual([
      'urn:a urn:knows urn:b',
    ]);
    expect(await fragments.triples({ subject: 'urn:none' })).toEqual({ triples: [], total: 0 });
    expect((await fragments.triples({ subject: '?s', predicate: '', object: 'urn:b' })).total).toBe(1);
  });

  test.each([
    ['"x"', 1],
    ['"x"@en', 1],
    ['"x"@EN', 1],
    ['"7"^^http://www.w3.org/2001/XMLSchema#integer', 1],
    ['"7"^^<http://www.w3.org/2001/XMLSchema#integer>', 1],
    ['"7"', 0],
    ['"say "hi""', 1],
    ['"line\nbreak"', 1],
    ['"line\\nbreak"', 0],
    ['<urn:b>', 1],
  ])('names the term %j', async (object, total) => {
    expect((await client().triples({ object })).total).toBe(total);
  });

  test('stays at the revision and in the graph that it has begun with', async () => {
    const update = 'DELETE WHERE { ?s <urn:p> ?o } ; INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:in> <urn:h> } }';
    await server.send('POST', '/acme/people/sparql', {
      body: update,
      headers: { 'Content-Type': 'application/sparql-update' },
    });
    expect((await client().triples({ predicate: 'urn:p' })).total).toBe(0);
    expect((await client('?revision-id=2').triples({ predicate: 'urn:p' })).triples).toHaveLength(250);
    expect((await client('?graph=urn:g').triples({})).total).toBe(2);
    expect((await client('?graph=urn:g&revision-id=2').triples({ predicate: 'urn:in' })).triples).toEqual([
      'urn:a urn:in urn:g',
    ]);
  });
});

const get = (more: string, headers: Record<string, string> = {}): Promise<Response> =>
  server.get(`/acme/people/tpf${more}`, headers);

test('the pages around a page, and one behind the last', async () => {
  const text = await (await get('?predicate=urn%3Ap&page=2', { Accept: 'application/n-triples' })).text();
  expect(text).toContain(`<${HYDRA}previous> <${BASE}/acme/people/tpf?predicate=urn%3Ap&page=1>`);
  expect(text).toContain(`<${HYDRA}next> <${BASE}/acme/people/tpf?predicate=urn%3Ap&page=3>`);
  expect(text.match(/^<urn:s\d+> <urn:p> /gm)).toHaveLength(100);
  const behind = await (await get('?page=9', { Accept: 'application/n-quads' })).text();
  expect(behind).not.toContain(`<${HYDRA}next>`);
  expect(behind).not.toContain('<urn:p>');
});

test.each([
  ['application/trig', 'application/trig'],
  ['text/turtle', 'text/turtle; charset=utf-8'],
  ['application/ld+json', 'application/ld+json; charset=utf-8'],
  ['*/*', 'application/trig'],
])('Accept %s', async (accept, type) => {
  const response = await get('', { Accept: accept });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
});

test('tags, mementos and errors', async () => {
  const response = await get('?predicate=urn:p');
  const tag = response.headers.get('ETag')!;
  expect((await get('?predicate=urn:p', { 'If-None-Match': tag })).status).toBe(304);
  expect((await get('?revision-id=1')).headers.get('Memento-Datetime')).not.toBeNull();
  for (const wrong of [
    '?page=0',
    '?page=x',
    '?page=99999999',
    '?subject=%22a%22&subject=urn:b',
    '?object=%22open',
    '?object=%22',
    '?object=%22a%22%5E%5E',
    '?object=%22a%22en',
    '?predicate=not+an+iri',
    '?graph=urn:quadrille:all',
    '?graph=urn:a&graph=urn:b',
    '?timeout=x',
  ])
    expect([wrong, (await get(wrong)).status]).toEqual([wrong, 400]);
  expect((await get('', { Accept: 'text/csv' })).status).toBe(406);
  expect((await get('?revision-id=99')).status).toBe(404);
  expect((await server.send('POST', '/acme/people/tpf')).status).toBe(405);
  await server.send('DELETE', '/acme/people');
  expect((await get('')).status).toBe(404);
});

test('braces and the like in parameters are no part of the form', async () => {
  const encoded = '?x=%7Bsubject%7D&y=%7Cz';
  const expected = `${BASE}/acme/people/tpf${encoded}{&subject,predicate,object}`;
  expect(await client(encoded).form()).toBe(expected);
  const text = await (await get('?x={subject}&y=|z', { Accept: 'application/n-triples' })).text();
  expect(text).toContain(`"${expected}"`);
  for await (const _ of parseQuads(text, { format: 'application/n-triples' })) expect(_.graph.value).toBe('');
});
