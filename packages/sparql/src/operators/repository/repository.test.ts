import type { Repositories } from '../../dataset/repositories.js';
import type { QueryableDataset } from '../../dataset/dataset.js';
import { NotFoundError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';

const HERE = `
  ex:a ex:knows ex:b , ex:c ; ex:age 1 . ex:b ex:knows ex:d ; ex:age 2 . ex:c ex:age 3 . ex:x ex:only "here" .
  _:b1 ex:tag "here" . GRAPH ex:g { ex:a ex:in "g" }`;
const THERE = `
  ex:b ex:name "B" ; ex:knows ex:c . ex:c ex:name "C" ; ex:age 3 . ex:d ex:name "D"@en ; ex:age 4.5 .
  ex:y ex:only "there" . _:b1 ex:tag "there" ; ex:next ex:b . GRAPH ex:h { ex:b ex:in "h" . ex:z ex:in "h" }`;

/** Repositories by address; `asked` says which were opened. */
export function repositoriesOf(
  datasets: Readonly<Record<string, QueryableDataset>>,
): Repositories & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async open({ iri, name }) {
      asked.push(iri);
      const dataset = datasets[iri];
      if (dataset === undefined) throw new NotFoundError('REPOSITORY_NOT_FOUND', `there is no repository ${name}`);
      return dataset;
    },
  };
}

const here = await datasetOf(HERE);
const there = await datasetOf(THERE);
const ask = (query: string): ReturnType<typeof answer> =>
  answer(query, here, { repositories: repositoriesOf({ 'repo:acme/there': there, 'repo:acme/here': here }) });

describe('SERVICE with the address of a repository', () => {
  test.each([
    ['?s ex:knows ?o', '?o ex:name ?n', ['n="B" o=ex:b s=ex:a', 'n="C" o=ex:c s=ex:a', 'n="D"@en o=ex:d s=ex:b']],
    ['?s ex:age ?n', '?x ex:age ?n', ['n=3 s=ex:c x=ex:c']],
    ['?s ex:age ?n', '?s ex:age ?m FILTER(?m > 1)', ['m=3 n=3 s=ex:c']],
    ['ex:x ex:only ?v', '?s ex:only ?w', ['s=ex:y v="here" w="there"']],
    ['', 'GRAPH ?g { ?s ex:in ?v }', ['g=ex:h s=ex:b v="h"', 'g=ex:h s=ex:z v="h"']],
    ['?s ex:knows ?o', '?o ex:knows+ ?e', ['e=ex:c o=ex:b s=ex:a']],
    ['', '{ SELECT (COUNT(*) AS ?n) { ?s ?p ?o } }', ['n=9']],
    ['?s ex:age 3', 'OPTIONAL { ?s ex:none ?n } BIND(STR(?s) AS ?t)', ['s=ex:c']],
    ['?s ex:tag ?t', '?s ex:tag ?u', []],
    ['?s ex:knows ?o', 'VALUES ?o { ex:b ex:nowhere } ?o ex:name ?n', ['n="B" o=ex:b s=ex:a']],
  ])('{ %s SERVICE { %s } }', async (before, inside, rows) => {
    const found = (await ask(`SELECT * { ${before} SERVICE <repo:acme/there> { ${inside} } }`)) as string[];
    expect(found.map((row) => row.split(' ').toSorted().join(' ')).toSorted()).toEqual(rows);
  });
});

describe('FROM with the address of a repository', () => {
  test.each([
    ['FROM <repo:acme/there> { ?s ex:only ?v }', ['s=ex:y v="there"']],
    ['FROM <repo:acme/there> FROM ex:g { ?s ex:in|ex:only ?v }', ['s=ex:a v="g"', 's=ex:y v="there"']],
    ['FROM <repo:acme/there> FROM <urn:quadrille:default> { ?s ex:only ?v }', ['s=ex:x v="here"', 's=ex:y v="there"']],
    ['FROM <repo:acme/there> FROM <repo:acme/here> { ?s ex:age 3 }', ['s=ex:c']],
    [
      'FROM <repo:acme/there> { ?s ex:age ?n }',
      ['s=ex:c n=3', 's=ex:d n=4.5'].map((row) => row.replace('4.5', '"4.5"^^xsd:decimal')),
    ],
    ['FROM NAMED <repo:acme/there> { GRAPH ?g { ?s ex:only ?v } }', ['g=<repo:acme/there> s=ex:y v="there"']],
    ['FROM NAMED <repo:acme/there> { GRAPH <repo:acme/there> { ?s ex:knows+ ?v } }', ['s=ex:b v=ex:c']],
    [
      'FROM <urn:quadrille:default> FROM NAMED <repo:acme/there> { ?s ex:knows ?o GRAPH ?g { ?o ex:name ?n } }',
      [
        's=ex:a o=ex:b g=<repo:acme/there> n="B"',
        's=ex:a o=ex:c g=<repo:acme/there> n="C"',
        's=ex:b o=ex:d g=<repo:acme/there> n="D"@en',
      ],
    ],
    ['FROM <repo:acme/there> { ?b ex:next ?s . ?b ex:tag ?t FILTER(ISBLANK(?b)) BIND(1 AS ?b2) }', undefined],
    ['FROM <repo:acme/there> FROM <urn:quadrille:default> { ?b ex:tag ?t . ?b ex:tag ?u FILTER(?t != ?u) }', []],
    ['FROM <repo:acme/there> FROM <urn:quadrille:default> { { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } }', ['n=16']],
    ['FROM NAMED <repo:acme/there> { GRAPH ?g {} }', undefined],
  ])('%s', async (query, rows) => {
    const found = await ask(`SELECT * ${query}`);
    if (rows === undefined) expect(found).toHaveLength(1);
    else expect(found).toEqual(rows.toSorted());
  });
});

test('SERVICE with a variable asks the repository of each row', async () => {
  const values =
    'VALUES (?e ?s) { (<repo:acme/there> ex:c) (<repo:acme/here> ex:c) (<repo:acme/here> ex:b) (<repo:acme/there> UNDEF) }';
  expect(await ask(`SELECT * { ${values} SERVICE ?e { ?s ex:age ?n } }`)).toEqual([
    'e=<repo:acme/here> s=ex:b n=2',
    'e=<repo:acme/here> s=ex:c n=3',
    'e=<repo:acme/there> s=ex:c n=3',
    'e=<repo:acme/there> s=ex:c n=3',
    'e=<repo:acme/there> s=ex:d n="4.5"^^xsd:decimal',
  ]);
});
