/** What the index of order answers is what values say: each question is asked again in a form that no index answers. */
import { expect, test } from 'vitest';
import { dataFactory, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { open, type Repository } from '../index.js';
import { Random } from '../testing/random.js';

type View = Pick<Repository, 'select' | 'ask'>;

const { namedNode: iri, literal, quad, defaultGraph } = dataFactory;

const typed = (text: string, datatype: string): RDF.Literal => literal(text, iri(XSD + datatype));
const ZONES = ['', '', 'Z', 'Z', '+02:00', '-11:00', '+14:00'];

function someNumber(random: Random): RDF.Literal {
  const number = random.below(400) - 200;
  switch (random.below(8)) {
    case 0:
      return typed(String(number), 'integer');
    case 1:
      return typed(String(number / 8), 'decimal');
    case 2:
      return typed(String(number / 10), 'float');
    case 3:
      return typed(`${number}.50`, 'decimal');
    case 4:
      return typed(String(Math.abs(number)), random.of(['nonNegativeInteger', 'int', 'unsignedByte', 'long']));
    case 5:
      return typed(`${number}e${random.below(4) - 1}`, 'double');
    case 6:
      return typed(String(number / 10), 'double');
    default:
      return typed(`${number * 1e15}1`, 'integer');
  }
}

function someInstant(random: Random, datatype: 'date' | 'dateTime'): RDF.Literal {
  const text = new Date(1e12 + random.below(40) * 3_600_000 * 4 + random.below(3) * 500).toISOString();
  const cut = datatype === 'date' ? text.slice(0, 10) : random.below(2) === 0 ? text.slice(0, 19) : text.slice(0, 23);
  return typed(cut + random.of(ZONES), datatype);
}

const ODD = [
  typed('NaN', 'double'),
  typed('INF', 'double'),
  typed('-INF', 'float'),
  typed('wrong', 'dateTime'),
  typed('2001-13-01', 'date'),
  typed('300', 'byte'),
  typed('2001-09-09T24:00:00Z', 'dateTime'),
  typed('-0044-03-15', 'date'),
  typed('2001', 'gYear'),
  typed('true', 'boolean'),
  literal('2001'),
  literal('2001', 'en'),
];

function someValue(random: Random, property: string): RDF.Term {
  switch (property) {
    case 'number':
      return someNumber(random);
    case 'date':
      return someInstant(random, 'date');
    case 'dateTime':
      return someInstant(random, 'dateTime');
    default:
      return random.of([someNumber(random), someInstant(random, 'dateTime'), random.of(ODD), iri('http://e/x')]);
  }
}

const PROPERTIES = ['number', 'date', 'dateTime', 'any'];
const QUADS = 28_000;

async function fill(random: Random, repo: Repository): Promise<void> {
  const some = (count: number): RDF.Quad[] =>
    Array.from({ length: count }, (_, n) => {
      const property = random.of(PROPERTIES);
      const graph = random.below(3) === 0 ? iri(`http://e/g${random.below(2)}`) : defaultGraph();
      // Most values are few, so that pairs meet; some differ each time, so that there are many.
      const value =
        random.below(2) === 0 || property === 'any'
          ? someValue(random, property)
          : property === 'number'
            ? typed(`${n}.${random.below(1e6)}e-2`, 'double')
            : typed(
                new Date(1e12 + random.below(1e9)).toISOString().slice(0, property === 'date' ? 10 : 23) + 'Z',
                property,
              );
      return quad(iri(`http://e/s${n}`), iri(`http://e/${property}`), value as RDF.Quad_Object, graph);
    });
  await repo.add(some(QUADS));
  await repo.maintenance.compact();
  await repo.add(some(300));
}

const PREFIX = `PREFIX e: <http://e/> PREFIX xsd: <${XSD}> `;
const textOf = (term: RDF.Term): string =>
  term.termType === 'Literal' ? `"${term.value}"^^<${term.datatype.value}>` : `<${term.value}>`;

/** The same for an engine that looks at nothing but values. */
const hidden = (expression: string): string => `IF(BOUND(?v), ${expression}, ${expression})`;

async function rows(repo: View, query: string): Promise<string[]> {
  const found = await repo.select(PREFIX + query).toArray();
  return found.map((row) =>
    Object.entries(row)
      .map(([name, term]) => `${name}=${textOf(term)}`)
      .join(' '),
  );
}

function someFilter(random: Random, property: string): string {
  const constant = (): string =>
    textOf(
      property === 'any'
        ? random.of([someNumber(random), someInstant(random, 'dateTime')])
        : someValue(random, property),
    );
  const compare = (): string =>
    random.of([
      `?v ${random.of(['<', '<=', '>', '>=', '='])} ${constant()}`,
      `${constant()} ${random.of(['<', '>='])} ?v`,
    ]);
  return random.below(3) === 0 ? compare() : `${compare()} && ${compare()}`;
}

test.each([1, 2])('filters, orders, and least and greatest values (seed %i)', async (seed) => {
  const random = new Random(seed);
  const db = await open(':memory:');
  const repo = await db.repository('a/r', { create: true });
  await fill(random, repo);
  const { number: head } = await repo.revision();
  for (let i = 0; i < 40; i++) {
    const property = random.of(PROPERTIES);
    const pattern = random.of([
      `?s e:${property} ?v`,
      `GRAPH ?g { ?s e:${property} ?v }`,
      `GRAPH e:g1 { ?s e:${property} ?v }`,
    ]);
    const filter = someFilter(random, property);
    const at = random.of([repo, repo, repo.at(head - 1)]);
    const [some, all] = [`${pattern} FILTER(${filter})`, `${pattern} FILTER(${hidden(filter)})`];
    expect((await rows(at, `SELECT * { ${some} }`)).toSorted(), some).toEqual(
      (await rows(at, `SELECT * { ${all} }`)).toSorted(),
    );
    const direction = random.of(['', 'DESC']);
    const limit = random.of(['LIMIT 10', 'LIMIT 10 OFFSET 5', 'LIMIT 700', '']);
    const [body, plain] = random.below(2) === 0 ? [some, all] : [pattern, pattern];
    const order = await rows(at, `SELECT ?s ?v { ${body} } ORDER BY ${direction}(?v) ?s STR(?g) ${limit}`);
    expect(order, `${body} ${direction} ${limit}`).toEqual(
      await rows(at, `SELECT ?s ?v { ${plain} } ORDER BY ${direction}(${hidden('?v')}) ?s STR(?g) ${limit}`),
    );
    const extreme = random.of(['MIN', 'MAX']);
    // Equal values may be different terms.
    const least = `SELECT (${extreme}(?v) AS ?m) { ${body} }`;
    const equal = `ASK { { ${least} } { SELECT (${extreme}(${hidden('?v')}) AS ?n) { ${plain} } } FILTER(!BOUND(?m) && !BOUND(?n) || sameTerm(?m, ?n) || ?m = ?n) }`;
    expect(await at.ask(PREFIX + equal), `${extreme} ${body}`).toBe(true);
  }
  await db.close();
});

test.each([3, 4])('least and greatest values of groups (seed %i)', async (seed) => {
  const random = new Random(seed);
  const db = await open(':memory:');
  const repo = await db.repository('a/r', { create: true });
  await fill(random, repo);
  const { number: head } = await repo.revision();
  for (let i = 0; i < 24; i++) {
    const at = random.of([repo, repo, repo.at(head - 1)]);
    const property = random.of(PROPERTIES);
    const group = random.of(['SUBSTR(STR(?s), 11, 1)', 'SUBSTR(STR(?s), 11, 3)', '?s']);
    const body = `?s e:${property} ?v . BIND(${group} AS ?k)`;
    const [extreme, distinct] = [random.of(['MIN', 'MAX']), random.of(['', 'DISTINCT '])];
    const other = extreme === 'MIN' ? 'MAX' : 'MIN';
    const byKeys = `{ SELECT ?k (${extreme}(${distinct}?v) AS ?m) (${other}(?v) AS ?o) { ${body} } GROUP BY ?k }`;
    const byValues = `{ SELECT ?k (${extreme}(${hidden('?v')}) AS ?n) (${other}(${hidden('?v')}) AS ?p) { ${body} } GROUP BY ?k }`;
    const same = (one: string, two: string): string => `(sameTerm(${one}, ${two}) || ${one} = ${two})`;
    const count = async (query: string): Promise<string[]> => rows(at, `SELECT (COUNT(*) AS ?n) { ${query} }`);
    const expected = await count(byValues);
    expect(await count(byKeys)).toEqual(expected);
    const equal = `${byKeys} ${byValues} FILTER(${same('?m', '?n')} && ${same('?o', '?p')})`;
    expect(await count(equal), `${extreme} ${group} ${body}`).toEqual(expected);
  }
  await db.close();
});

test('explain names the index where it is read', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('a/r', { create: true });
  await fill(new Random(9), repo);
  const planOf = async (query: string): Promise<string> => JSON.stringify((await repo.explain(PREFIX + query)).plan);
  const narrow = '?v > 100.1e0 && ?v < 100.9e0';
  expect(await planOf(`SELECT * { ?s e:number ?v FILTER(${narrow}) }`)).toContain('index of order: range of ?v');
  for (const query of [
    'SELECT * { ?s e:dateTime ?v } ORDER BY DESC(?v) LIMIT 3',
    'SELECT (MIN(?v) AS ?least) (MAX(?v) AS ?greatest) { ?s e:dateTime ?v }',
  ])
    expect(await planOf(query)).toContain('by parts of an index');
  await db.close();
});
