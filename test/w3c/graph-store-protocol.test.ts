/** The W3C suite of the SPARQL 1.1 Graph Store Protocol, in both of its forms, against a server on loopback. */
import { parseQuads } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasHttpSuite, type HttpExchange, readHttpTests } from './http-manifest.js';
import { meets, send, startServer, type TestServer } from './http-server.js';
import { areIsomorphic } from './isomorphism.js';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** The address here of a path of the manifest; the variables are Locations of earlier answers. */
function addressOf(path: string, variables: ReadonlyMap<string, string>): string {
  let own = path.replace(/^\/gsp\//, '/w3c/suite/graphs/').replace(/^\/gsp/, '/w3c/suite/service');
  for (const [name, value] of variables) own = own.replace(name, value);
  return server.url + own;
}

async function triples(text: string, baseIRI: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: 'text/turtle', baseIRI })) quads.push(quad);
  return quads;
}

async function exchange(expected: HttpExchange, variables: Map<string, string>): Promise<void> {
  const address = addressOf(expected.path, variables);
  const answer = await send(address, expected);
  expect(
    meets(answer.status, expected.statuses),
    `${expected.method} ${address}: ${String(answer.status)} ${answer.text}`,
  ).toBe(true);
  if (expected.location !== undefined) {
    expect(answer.headers['location']).toBeTypeOf('string');
    variables.set(expected.location, String(answer.headers['location']));
  }
  for (const [name, value] of Object.entries(expected.answerHeaders)) expect(answer.headers[name]).toBe(value);
  if (expected.answerBody === undefined) return;
  const [found, wanted] = [await triples(answer.text, address), await triples(expected.answerBody, address)];
  expect(areIsomorphic(found, wanted), `${answer.text}\n--- expected\n${expected.answerBody}`).toBe(true);
}

if (hasHttpSuite('W3C Graph Store Protocol')) {
  describe('W3C Graph Store Protocol', () => {
    const tests = readHttpTests('graph-store-protocol/manifest.ttl');
    it('has its 13 tests', () => {
      expect(tests).toHaveLength(13);
    });
    for (const { id, exchanges } of tests) {
      it(id, async () => {
        const variables = new Map<string, string>();
        expect(exchanges.length).toBeGreaterThan(0);
        for (const each of exchanges) await exchange(each, variables);
      });
    }
  });
}
