// Media types of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { jsonOf, query, row, scene, status, typeOf } from '../scene.js';

const at = scene();
const statements = (): string => `${at.repository}/statements`;
const sparql = (text: string, accept?: string, parameters: Record<string, string> = {}) =>
  at.get(`${at.repository}/sparql?${query({ query: text, ...parameters })}`, accept);

const endpointOf = (text: string): string => `${at.repository}/sparql?${query({ query: text })}`;

const NT = '<urn:a> <urn:p> "x" .';
const XML =
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><rdf:Description rdf:about="urn:a"><u:p>x</u:p></rdf:Description></rdf:RDF>';
const RDF_JSON = '{"urn:a":{"urn:p":[{"type":"literal","value":"x"}]}}';
const DOCUMENTS: readonly (readonly [types: string, body: string])[] = [
  ['application/n-triples text/plain application/rdf-triples', NT],
  ['application/n-quads text/x-nquads text/nquads', NT],
  ['text/turtle application/turtle application/x-turtle', '@prefix : <urn:> . :a :p "x" .'],
  ['text/n3 text/rdf+n3', '@prefix : <urn:> . :a :p "x" .'],
  ['application/trig application/x-trig', '{ <urn:a> <urn:p> "x" }'],
  ['application/rdf+xml text/rdf application/xml', XML],
  ['application/ld+json', '{"@id":"urn:a","urn:p":"x"}'],
  ['application/rdf+json application/json text/json', RDF_JSON],
  [
    'application/trix',
    '<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>urn:a</uri><uri>urn:p</uri><plainLiteral>x</plainLiteral></triple></graph></TriX>',
  ],
];

describe('6 media types', () => {
  for (const [types, body] of DOCUMENTS) {
    row(`6 RDF in and out: ${types}`, async () => {
      for (const type of types.split(' ')) {
        expect([type, await status(at.send('PUT', statements(), { type: `${type}; charset=utf-8`, body }))]).toEqual([
          type,
          204,
        ]);
        expect(await at.lines()).toEqual([NT]);
        const answer = await at.get(statements(), type);
        expect([type, answer.status, typeOf(answer)?.split(';')[0]]).toEqual([type, 200, type]);
      }
    });
  }
  row('6 canonical Content-Type where none is asked for by name', async () => {
    for (const [extension, type] of [
      ['nt', 'application/n-triples'],
      ['nq', 'application/n-quads'],
      ['ttl', 'text/turtle'],
      ['trig', 'application/trig'],
      ['rdf', 'application/rdf+xml'],
      ['jsonld', 'application/ld+json'],
      ['rj', 'application/rdf+json'],
      ['trix', 'application/trix'],
    ] as const)
      expect(typeOf(await at.get(`${at.repository}.${extension}`))?.split(';')[0]).toBe(type);
  });
  row('6 JSON-LD profile: compacted and expanded', async () => {
    await at.fill('<http://xmlns.com/foaf/0.1/a> <http://xmlns.com/foaf/0.1/name> "x" .');
    const profile = (name: string) =>
      at.get(statements(), `application/ld+json;profile="http://www.w3.org/ns/json-ld#${name}"`);
    expect(JSON.parse((await profile('expanded')).body)).toEqual([
      { '@id': 'http://xmlns.com/foaf/0.1/a', 'http://xmlns.com/foaf/0.1/name': [{ '@value': 'x' }] },
    ]);
    expect((await profile('compacted')).body).toContain('"foaf:name"');
    for (const path of [
      `${at.repository}/service`,
      `${at.repository}/service?default`,
      endpointOf('CONSTRUCT WHERE { ?s ?p ?o }'),
    ]) {
      const { body } = await at.get(path, 'application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"');
      expect([path, JSON.parse(body)]).toEqual([
        path,
        [expect.objectContaining({ '@id': 'http://xmlns.com/foaf/0.1/a' })],
      ]);
    }
    await at.fill(NT);
  });
  row('6 /service: text/plain 406, application/ntriples 400, application/json is RDF/JSON', async () => {
    const service = `${at.repository}/service?default`;
    expect(await status(at.get(service, 'text/plain'))).toBe(406);
    expect(await status(at.get(service, 'application/ntriples'))).toBe(400);
    expect(await jsonOf(at.get(service, 'application/json'))).toEqual(JSON.parse(RDF_JSON));
  });
  row('6 negotiation: q-values, unknown 406, invalid 400, absent the default, Content-Type ignored', async () => {
    const typeFor = async (accept: string): Promise<string | undefined> =>
      typeOf(await at.get(statements(), accept))?.split(';')[0];
    expect(await typeFor('text/turtle;q=0.5, application/n-quads;q=0.9')).toBe('application/n-quads');
    expect(await typeFor('text/turtle;q=0.1, */*;q=0.9')).toBe('text/plain');
    expect(await status(at.get(statements(), 'image/png'))).toBe(406);
    expect(await status(at.get(statements(), 'json'))).toBe(400);
    expect(await typeFor('json, text/turtle')).toBe('text/turtle');
    const typed = await at.get(statements(), 'text/turtle', {
      headers: { 'Content-Type': 'application/sparql-update' },
    });
    expect(typeOf(typed)).toBe('text/turtle; charset=utf-8');
  });
  row('6 format, output and results only where Accept says nothing', async () => {
    const ask = 'ASK {}';
    expect(typeOf(await sparql(ask, '*/*', { format: 'xml' }))).toBe('application/sparql-results+xml; charset=utf-8');
    expect(typeOf(await sparql(ask, 'text/boolean', { output: 'xml', results: 'xml' }))).toBe(
      'text/boolean; charset=utf-8',
    );
  });
  row('6 SPARQL results: JSON by default, XML, CSV, TSV, rows as JSON, boolean', async () => {
    const select = 'SELECT ?s ?o ?none { ?s <urn:p> ?o }';
    expect(typeOf(await sparql(select))).toBe('application/sparql-results+json; charset=utf-8');
    for (const type of ['application/sparql-results+xml', 'text/csv', 'text/tab-separated-values'])
      expect(typeOf(await sparql(select, type))).toBe(`${type}; charset=utf-8`);
    const rows = await jsonOf(sparql(select, 'application/json'));
    expect(rows).toEqual([{ s: 'urn:a', o: 'x' }].map((plain) => expect.objectContaining(plain)));
  });
  row('6 ASK: boolean in JSON and XML, true or false as text, CSV and TSV one line', async () => {
    expect(await jsonOf(sparql('ASK {}'))).toMatchObject({ boolean: true });
    expect((await sparql('ASK {}', 'application/sparql-results+xml')).body).toContain('<boolean>true</boolean>');
    for (const type of ['text/boolean', 'text/csv', 'text/tab-separated-values'])
      expect((await sparql('ASK { <urn:x> ?p ?o }', type)).body.trim()).toBe('false');
  });
  row('6 layout of JSON, CSV and TSV', async () => {
    await at.fill('<urn:a> <urn:p> "x" .\n<urn:a> <urn:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n');
    const select = 'SELECT ?o ?none { ?s ?p ?o } ORDER BY ?p';
    const json = (await sparql(select)).body;
    expect(json.split('\n').filter((line) => line.includes('"o": ')).length).toBe(2);
    expect(json).not.toContain('typed-literal');
    expect((await sparql(select, 'text/csv')).body.split(/\r?\n/)).toEqual(['o,none', '"x",', '1,', '']);
    expect((await sparql(select, 'text/tab-separated-values')).body.split(/\r?\n/).slice(0, 3)).toEqual([
      '?o\t?none',
      '"x"\t',
      expect.stringMatching(/^(?:1|"1"\^\^<[^>]+#integer>)\t$/),
    ]);
  });
  row('6 CONSTRUCT as rows s, p, o; SELECT with RDF types only 406', async () => {
    const construct = 'CONSTRUCT WHERE { ?s <urn:p> ?o }';
    expect((await sparql(construct, 'text/csv')).body.split(/\r?\n/)).toEqual(['s,p,o', 'urn:a,urn:p,"x"', '']);
    expect(await status(sparql('SELECT * { ?s ?p ?o }', 'text/turtle'))).toBe(406);
  });
  row('6 what rdflib and roqet accept', async () => {
    const rdflib = 'application/sparql-results+xml, application/rdf+xml';
    expect(typeOf(await sparql('CONSTRUCT WHERE { ?s ?p ?o }', rdflib))).toContain('application/rdf+xml');
    expect(typeOf(await sparql('ASK {}', rdflib))).toContain('application/sparql-results+xml');
    const update = { type: 'application/sparql-update', body: 'CLEAR GRAPH <urn:g>', accept: rdflib };
    expect([200, 204]).toContain(await status(at.send('POST', `${at.repository}/sparql`, update)));
    expect(typeOf(await sparql('SELECT * {}', 'application/sparql-results+xml'))).toContain('sparql-results+xml');
  });
  row('6 charset=utf-8 on text, JSON and XML', async () => {
    for (const type of ['text/turtle', 'application/ld+json', 'application/rdf+xml', 'text/plain'])
      expect(typeOf(await at.get(statements(), type))).toBe(`${type}; charset=utf-8`);
  });
});
