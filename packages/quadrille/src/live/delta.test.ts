/** Differences that follow from the changed quads: they are those that whole answers have. */
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { answerDiff, literal, quad } from '../index.js';
import { answer, applied, randomNumbers, texts } from '../testing/answers.js';
import { ex, q, repository } from '../testing/fixtures.js';

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
/** A limit of rows is one of a whole answer, so the query runs again. */
const RERUN = { maxRows: 1_000_000 };

type Int = (most: number) => number;
const one = <T>(int: Int, items: readonly T[]): T => items[int(items.length)]!;

/** A query of patterns, GRAPH, FILTER, BIND and VALUES, with a projection, DISTINCT or COUNT. */
function randomQuery(int: Int): string {
  const variables = ['?a', '?b', '?c', '?d'];
  const node = (): string => (int(5) === 0 ? `ex:n${int(5)}` : one(int, variables));
  const predicate = (): string =>
    int(6) === 0 ? one(int, ['?p', '?a']) : one(int, ['ex:p', 'ex:q', 'ex:r', 'ex:p/ex:q', '^ex:q']);
  const triple = (): string => `<<( ${one(int, ['?a', '?b'])} ex:p ${one(int, ['?b', 'ex:n1'])} )>>`;
  const rare = ['_:blank', '_:blank', '"v1"@en-GB', triple()];
  const object = (): string => (int(5) === 0 ? one(int, rare) : node());
  const patterns = (): string =>
    Array.from({ length: 1 + int(3) }, () => `${node()} ${predicate()} ${object()} .`).join(' ');
  const filters = ['?a != ?b', 'STRLEN(STR(?b)) > 19', 'isIRI(?c)', '?a IN (ex:n1, ex:n2)', 'BOUND(?d) || ?a = ex:n3'];
  const filter = (): string => (int(3) === 0 ? `FILTER(${one(int, filters)})` : '');
  const graph = (): string =>
    `GRAPH ${one(int, ['?g', 'ex:g0', '?a'])} { ${patterns().replaceAll('_:blank', '?e')} ${filter()} }`;
  const parts = [
    patterns(),
    int(3) === 0 ? graph() : '',
    filter(),
    one(int, ['', '', '', '', 'GRAPH ?h {}']),
    int(5) === 0 ? 'VALUES ?b { ex:n1 ex:n2 ex:n2 }' : '',
  ];
  const bind = int(4) === 0 ? 'BIND(CONCAT(STR(?a), "!") AS ?x)' : '';
  const from = one(int, ['', '', '', 'FROM ex:g0', 'FROM ex:g1 FROM NAMED ex:g0']);
  const head = one(int, [
    '*',
    '?a ?b',
    '?a',
    'DISTINCT ?a',
    'DISTINCT ?b ?c',
    '(COUNT(*) AS ?n)',
    '?a (COUNT(*) AS ?n)',
  ]);
  const text = `SELECT ${head} ${from} { ${parts.join(' ')} ${bind} }`;
  return head.startsWith('?a (') ? `${text} GROUP BY ?a` : text;
}

function randomQuad(int: Int): RDF.Quad {
  const plain = q(`n${int(5)} ${one(int, ['p', 'p', 'q', 'r', 'n1'])} n${int(5)}${int(3) === 0 ? ` g${int(2)}` : ''}`);
  const { subject, predicate, object } = plain;
  if (int(10) === 0) return quad(subject, ex('p'), literal('v1', one(int, ['en-GB', 'EN-gb'])));
  return int(8) === 0 ? quad(object as RDF.Quad_Subject, predicate, quad(subject, ex('p'), object)) : plain;
}

test(`random commits and queries: as two whole answers differ (QUADRILLE_SEED=${SEED})`, async () => {
  const int = randomNumbers(SEED);
  const repo = await repository();
  const queries = Array.from({ length: 25 }, () => randomQuery(int));
  await repo.add(Array.from({ length: 20 }, () => randomQuad(int)));
  const live = queries.map((text) => repo.live(text));
  const seen = await Promise.all(live.map(async (each) => applied([], (await each.next()).value!)));
  let deltas = 0;
  for (let i = 0; i < 20; i++) {
    const changes = Array.from({ length: 1 + int(4) }, () => randomQuad(int));
    await (int(3) === 0 ? repo.remove(changes) : repo.add(changes));
    if (int(4) === 0) continue;
    for (const [j, text] of queries.entries()) {
      const expected = await answer(repo, text);
      if (expected.join() === seen[j]!.join()) continue;
      const { value } = await live[j]!.next();
      if (value!.path === 'delta') deltas++;
      seen[j] = applied(seen[j]!, value!);
      expect(seen[j], text).toEqual(expected);
      // Only what is different is told.
      expect(
        texts(value!.added).filter((row) => texts(value!.removed).includes(row)),
        text,
      ).toEqual([]);
    }
  }
  expect(deltas).toBeGreaterThan(0);
  const { number } = await repo.revision();
  for (const text of queries) {
    const [from, to] = [1 + int(number), 1 + int(number)];
    const [found, whole] = [await answerDiff(repo, text, from, to), await answerDiff(repo, text, from, to, RERUN)];
    expect([texts(found.added), texts(found.removed)], text).toEqual([texts(whole.added), texts(whole.removed)]);
  }
  for (const each of live) await each.return!();
});
