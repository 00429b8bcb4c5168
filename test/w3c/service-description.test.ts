/** The W3C suite of the SPARQL 1.1 Service Description: three tests that their manifest only names. */
import { parseQuads } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasHttpSuite, readHttpTests } from './http-manifest.js';
import { send, startServer, type TestServer } from './http-server.js';

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
/** What the vocabulary says of its properties: the class of their subjects, and of their objects where it has one. */
const SCHEMA: Readonly<Record<string, readonly [domain: string, range: string | undefined]>> = {
  endpoint: ['Service', undefined],
  supportedLanguage: ['Service', undefined],
  resultFormat: ['Service', undefined],
  inputFormat: ['Service', undefined],
  feature: ['Service', undefined],
  defaultDataset: ['Service', 'Dataset'],
  defaultGraph: ['Dataset', 'Graph'],
  namedGraph: ['Dataset', 'NamedGraph'],
  name: ['NamedGraph', undefined],
  graph: ['NamedGraph', 'Graph'],
};

let server: TestServer;
let endpoint: string;
beforeEach(async () => {
  server = await startServer();
  endpoint = `${server.url}/w3c/suite/sparql`;
  await server.repository.update('INSERT DATA { <urn:a> <urn:p> 1 GRAPH <urn:g> { <urn:a> <urn:p> 1 } }');
});
afterEach(() => server.close());

async function description(): Promise<RDF.Quad[]> {
  const { status, headers, text } = await send(endpoint, { method: 'GET', headers: {}, body: undefined });
  expect([status, headers['content-type']]).toEqual([200, 'text/turtle; charset=utf-8']);
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: 'text/turtle', baseIRI: endpoint })) quads.push(quad);
  expect(quads.length).toBeGreaterThan(0);
  return quads;
}

const has = (quads: readonly RDF.Quad[], subject: RDF.Term, type: string): boolean =>
  quads.some(
    (quad) => quad.subject.equals(subject) && quad.predicate.value === RDF_TYPE && quad.object.value === SD + type,
  );

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  async 'returns-rdf'() {
    await description();
  },
  async 'has-endpoint-triple'() {
    const quads = await description();
    const found = quads.filter(({ predicate }) => predicate.value === `${SD}endpoint`);
    expect(found.map(({ object }) => object.value)).toEqual([endpoint]);
    expect(has(quads, found[0]!.subject, 'Service')).toBe(true);
  },
  async 'conforms-to-schema'() {
    const quads = await description();
    let checked = 0;
    for (const { subject, predicate, object } of quads) {
      if (!predicate.value.startsWith(SD)) continue;
      const terms = SCHEMA[predicate.value.slice(SD.length)];
      expect(terms, predicate.value).toBeDefined();
      const [domain, range] = terms!;
      expect(has(quads, subject, domain), `${predicate.value} of no ${domain}`).toBe(true);
      if (range !== undefined) expect(has(quads, object, range), `${predicate.value} is no ${range}`).toBe(true);
      checked++;
    }
    expect(checked).toBeGreaterThan(10);
  },
};

if (hasHttpSuite('W3C Service Description')) {
  describe('W3C Service Description', () => {
    const tests = readHttpTests('service-description/manifest.ttl');
    it('has its 3 tests', () => {
      expect(tests.map(({ id }) => id).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
    });
    for (const { id } of tests) it(id, async () => CHECKS[id]!());
  });
}
