/** The W3C suite of the SPARQL 1.1 Protocol, against a server on loopback. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasHttpSuite, type HttpExchange, readHttpTests } from './http-manifest.js';
import { meets, send, startServer, type TestServer } from './http-server.js';

/** What we do otherwise on purpose, and why. */
const KNOWN: Readonly<Record<string, string>> = {
  bad_query_missing_form_type: 'a form with query= needs no Content-Type: that is how clients in use send it',
};
const FORMATS: Readonly<Record<string, RegExp>> = {
  boolean: /^application\/sparql-results\+(?:json|xml)/,
  tabular: /^(?:application\/sparql-results\+(?:json|xml)|text\/csv|text\/tab-separated-values)/,
  RDF: /^(?:application\/rdf\+xml|text\/turtle|application\/n-triples)/,
};

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

async function exchange(expected: HttpExchange): Promise<void> {
  const path = expected.path.replace(/^\/sparql\/?/, '/w3c/suite/sparql');
  const answer = await send(server.url + path, expected);
  expect(meets(answer.status, expected.statuses), `${String(answer.status)} ${answer.text}`).toBe(true);
  if (expected.format !== undefined) expect(answer.headers['content-type']).toMatch(FORMATS[expected.format]!);
  if (expected.boolean !== undefined) expect(JSON.parse(answer.text)).toMatchObject({ boolean: expected.boolean });
}

if (hasHttpSuite('W3C SPARQL Protocol')) {
  describe('W3C SPARQL Protocol', () => {
    const tests = readHttpTests('protocol/manifest.ttl');
    it('has its 34 tests', () => {
      expect(tests).toHaveLength(34);
    });
    for (const { id, graphs, exchanges } of tests) {
      const known = KNOWN[id];
      it(known === undefined ? id : `${id}: differs (${known})`, async () => {
        for (const { name, content } of graphs) {
          const body = Buffer.from(content);
          const headers = { 'content-type': 'application/n-triples' };
          const path = `${server.url}/w3c/suite/service?graph=${encodeURIComponent(name)}`;
          expect((await send(path, { method: 'PUT', headers, body })).status).toBe(201);
        }
        expect(exchanges.length).toBeGreaterThan(0);
        const run = async (): Promise<void> => {
          for (const each of exchanges) await exchange(each);
        };
        if (known === undefined) await run();
        else await expect(run()).rejects.toThrow();
      });
    }
  });
}
