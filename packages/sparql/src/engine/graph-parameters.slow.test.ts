import { describe, expect, test } from 'vitest';
import { iri } from '@quadrille/model';
import { toTemplate } from '../algebra/template.js';
import { answer, datasetOf, PREFIXES } from '../testing/fixtures.js';
import { Engine } from './engine.js';
import type { EvaluationOptions } from './options.js';

const EX = PREFIXES.ex;
const graphOf = (name: string, count: number): string =>
  `GRAPH ex:${name} { ${Array.from({ length: count }, (_, i) => `ex:s${i} ex:p ex:o${i % 7} ; ex:q ${i} .`).join(' ')} }`;
const data = datasetOf(
  `ex:s1 ex:p ex:o1 . ${graphOf('small', 3)} ${graphOf('other', 5)} ${graphOf('large', 200)} GRAPH ex:one { ex:s1 ex:p ex:one }`,
);

/** Parsed and planned for itself. */
const alone = async (text: string, options?: EvaluationOptions): Promise<string[] | boolean> =>
  answer(toTemplate(text), await data, options, false, new Engine());

const NAMES = ['small', 'large', 'one', 'missing'];
const pairs = NAMES.flatMap((g) => NAMES.map((h) => [g, h] as const));

describe.each([
  'SELECT * { GRAPH G { ?s ex:p ?o } }',
  'SELECT * { GRAPH G { ?s ex:p ?o } GRAPH H { ?s ex:q ?n } }',
  'SELECT * { GRAPH G { ?s ex:p ?o OPTIONAL { GRAPH H { ?s ex:q ?n } } } }',
  'SELECT * { GRAPH G { ?s ex:p ?o } FILTER NOT EXISTS { GRAPH H { ?s ex:p ?o } } }',
  'SELECT * { GRAPH G { ?s ex:p ?o } MINUS { GRAPH H { ?s ex:p ?o } } }',
  'SELECT * { GRAPH G { } }',
  'SELECT * { GRAPH G { BIND(1 AS ?x) } GRAPH H { { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } } }',
  'SELECT * { GRAPH G { ex:s1 (ex:p|ex:q)+ ?o } }',
  'SELECT DISTINCT ?p { GRAPH G { ?s ?p ?o } }',
  'SELECT (COUNT(*) AS ?n) { GRAPH G { ?s ?p ?o } }',
  'SELECT (COUNT(*) AS ?n) FROM G { ?s ?p ?o }',
  'SELECT * FROM G FROM H { ?s ex:p ?o }',
  'SELECT ?p (COUNT(*) AS ?n) FROM G FROM H { ?s ?p ?o } GROUP BY ?p',
  'SELECT * FROM G FROM NAMED H { ?s ex:p ?o GRAPH H { ?s ex:q ?n } }',
  'SELECT * FROM G FROM NAMED H { ?s ex:p ?o GRAPH G { ?s ex:q ?n } }',
  'SELECT ?g ?s FROM NAMED G FROM NAMED H { GRAPH ?g { ?s ex:p ?o } }',
  'SELECT ?g FROM NAMED G FROM NAMED H { GRAPH ?g { } }',
  'SELECT * FROM NAMED G { { GRAPH G { ?s ex:p ?o } } UNION { GRAPH H { ?s ex:p ?o } } UNION { ?s ex:p ?o } }',
  'SELECT * { GRAPH G { ?s ?p G } }',
  'SELECT * { GRAPH ?g { ?s ex:p ?o } FILTER(?g = G) }',
  'ASK FROM G { ex:s199 ?p ?o }',
  'CONSTRUCT { G ex:has ?s } FROM H { ?s ex:p ?o }',
  'DESCRIBE ex:s1 FROM G FROM H',
  'DESCRIBE ?s FROM G { ?s ex:q 1 GRAPH H { } }',
  'SELECT * FROM <urn:quadrille:named> { ?s ex:p ?o GRAPH G { ?s ?p ?o } }',
  'SELECT * FROM NAMED <urn:quadrille:named> { GRAPH G { ?s ex:p ?o } }',
  'SELECT * FROM G FROM <urn:quadrille:default> { ?s ex:p ?o }',
])('%s', (query) => {
  const OTHERS: EvaluationOptions[] = [
    {},
    { unionDefaultGraph: true },
    { namedGraphUris: [`${EX}small`, `${EX}one`] },
    { defaultGraphUris: [`${EX}other`], namedGraphUris: ['urn:quadrille:named'] },
    { bindings: { s: iri(`${EX}s1`) } },
    { bindings: { g: iri(`${EX}small`) } },
    { bindings: { g: iri('urn:quadrille:all') }, namedGraphUris: [`${EX}other`] },
    { bindings: { g: iri(`${EX}one`) }, namedGraphUris: [`${EX}other`] },
  ];

  const isKnown = ({ bindings = {} }: EvaluationOptions): boolean =>
    Object.keys(bindings).every((name) => query.includes(`?${name}`));

  test.each(OTHERS.filter(isKnown))('gives for all graphs what it gives alone, with %j', async (options) => {
    for (const [g, h] of pairs) {
      const text = query.replace(/\bG\b/g, `ex:${g}`).replace(/\bH\b/g, `ex:${h}`);
      const expected = await alone(text, options);
      expect(await answer(text, await data, options), text).toEqual(expected);
      expect(await answer(text, await data, options), text).toEqual(expected);
    }
  });
});
