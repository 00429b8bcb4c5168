/** Templates and bindings are planned as the texts with their values. */
import { iri } from '@quadrille/model';
import { expect, test } from 'vitest';
import { sparql } from '../algebra/template.js';
import { answer, datasetOf, engine } from '../testing/fixtures.js';
import type { EvaluationOptions } from '../engine/options.js';
import type { SparqlRequest } from './prepare.js';

const PEOPLE = 3000;
const E = 'http://example.org/';
// Most live in one city.
const cityOf = (i: number): string => (i % 100 === 0 ? `c${i / 100}` : 'large');
const data = datasetOf(
  Array.from(
    { length: PEOPLE },
    (_, i) =>
      `ex:p${i} ex:city ex:${cityOf(i)} ; ex:name "n${i}" ; ex:age ${i % 90} ; ex:knows ex:p${(i * 7) % PEOPLE}, ex:p${(i * 13) % PEOPLE} .`,
  ).join('\n'),
);

/** Without what it tells of numbers of rows. */
const planOf = async (request: SparqlRequest, options: EvaluationOptions = {}): Promise<string> =>
  (await engine.explain(request, await data, options)).text.replace(/ {2}\[about.*?\]/g, '');

const city = (name: string): ReturnType<typeof iri> => iri(E + name);
const VALUES = [
  ['c1', 'c2'],
  ['nowhere', 'c2'],
  ['large', 'large'],
  ['c3', 'large'],
  ['large', 'c4'],
  ['c1', 'c2'],
] as const;

test('by the counts of their values', async () => {
  const names: string[] = [];
  for (const [a, b] of VALUES) {
    const text = `SELECT ?n ?f { ?p <${E}city> <${E}${a}> ; <${E}name> ?n ; <${E}knows> ?f . ?f <${E}city> <${E}${b}> }`;
    const template = sparql`SELECT ?n ?f { ?p <http://example.org/city> ${city(a)} ; <http://example.org/name> ?n ; <http://example.org/knows> ?f . ?f <http://example.org/city> ${city(b)} }`;
    const open = `SELECT ?n ?f { ?p <${E}city> ?a ; <${E}name> ?n ; <${E}knows> ?f . ?f <${E}city> ?b }`;
    const bindings = { a: city(a), b: city(b) };
    const plan = await planOf(text);
    expect(await planOf(template)).toBe(plan);
    expect(await planOf(open, { bindings })).toBe(plan);
    names.push(plan.split('\n')[0]!);
    const rows = await answer(text, await data);
    expect(await answer(template, await data)).toEqual(rows);
    expect(await answer(open, await data, { bindings })).toEqual(rows);
  }
  expect(new Set(names).size).toBeGreaterThan(1);
});

test('by the kinds of values in filters', async () => {
  const texts = ['"n7"', `<${E}large>`, '7', '"n7"@en', '7.5'];
  const terms = ['n7', city('large'), 7, { termType: 'Literal', value: 'n7', language: 'en' }, 7.5];
  for (const [i, text] of texts.entries()) {
    const asText = `SELECT ?p ?o { ?p ?q ?o FILTER(?o = ${text}) }`;
    const rows = await answer(asText, await data);
    if (typeof terms[i] === 'object' && 'language' in (terms[i] as object)) continue;
    const template = sparql`SELECT ?p ?o { ?p ?q ?o FILTER(?o = ${terms[i]}) }`;
    expect(await answer(template, await data)).toEqual(rows);
  }
  expect(await planOf(sparql`SELECT ?p { ?p <http://example.org/name> ?n FILTER(?n = ${'n7'}) }`)).toContain(
    '"n7", posg',
  );
  expect(await planOf(sparql`SELECT ?p { ?p <http://example.org/age> ?n FILTER(?n = ${7}) }`)).toContain('range of ?n');
  expect(await planOf(sparql`SELECT ?p { ?p ?q ?c FILTER(?c = ${city('c1')}) }`)).toContain(
    '<http://example.org/c1>, ospg',
  );
});
