/** A storage that always has to fetch: whatever waits for it ends at the deadline and by the signal, and fetches no more then. */
import { iri, quad, yieldTurn } from '@quadrille/model';
import { expect, test } from 'vitest';
import { MISS } from '../dataset/id-dataset.js';
import { ArrayDataset } from '../testing/array-dataset.js';
import { answer } from '../testing/fixtures.js';

const u = (name: string) => iri(`urn:${name}`);
const QUADS = Array.from({ length: 40 }, (_, i) => quad(u(`s${i % 9}`), u(`p${i % 3}`), u(`o${i}`)));

/** Its fetches bring nothing from the `from`-th on. */
function stuck(from: number): { dataset: ArrayDataset; fetched: () => number } {
  const dataset = new ArrayDataset(QUADS, { misses: true });
  const { ids } = dataset;
  let fetched = 0;
  const fails = (): boolean => fetched >= from;
  const hold = async (fetch: () => Promise<void>): Promise<void> => {
    fetched++;
    await yieldTurn();
    if (!fails()) await fetch();
  };
  const [find, intern, term, fetchTerm, scan] = [ids.find, ids.intern, ids.term, ids.fetchTerm, ids.scan];
  Object.assign(ids, {
    find: (of: Parameters<typeof find>[0]) => (fails() ? MISS : find.call(ids, of)),
    intern: (of: Parameters<typeof find>[0]) => (fails() ? MISS : intern.call(ids, of)),
    term: (id: number) => (fails() ? undefined : term.call(ids, id)),
    fetchTerm: () => hold(() => fetchTerm.call(ids)),
    scan: (...given: Parameters<typeof scan>) => {
      const made = scan.apply(ids, given);
      const [next, fetch] = [made.next.bind(made), made.fetch.bind(made)];
      return Object.assign(made, { next: () => (fails() ? MISS : next()), fetch: () => hold(fetch) });
    },
  });
  return { dataset, fetched: () => fetched };
}

const QUERIES = [
  'SELECT * { ?s <urn:p1> ?o }',
  'SELECT (COUNT(*) AS ?n) { ?s <urn:p1> ?o FILTER(?s != ?o) }',
  'SELECT DISTINCT ?p { ?s ?p ?o }',
  'SELECT (MAX(?o) AS ?m) { ?s ?p ?o }',
  'SELECT ?s (CONCAT(STR(?s), "x") AS ?x) { ?s ?p ?o } ORDER BY ?x',
  'SELECT * { ?s <urn:p1>+ ?o }',
  'DESCRIBE <urn:s1>',
  'CONSTRUCT { ?s <urn:new> _:b } { ?s ?p ?o }',
  'ASK { ?s <urn:p1> ?o . ?o <urn:p2> ?x }',
];

test.each(QUERIES)('%s', async (text) => {
  for (const from of [0, 1, 3, 7]) {
    const { dataset, fetched } = stuck(from);
    const controller = new AbortController();
    const outcome = answer(text, dataset, { signal: controller.signal }).then(
      () => 'an answer',
      (error: { code?: string }) => error.code ?? String(error),
    );
    for (let turn = 0; turn < 30; turn++) await yieldTurn();
    controller.abort();
    // What needed fewer fetches has its answer.
    expect(['an answer', 'ABORTED']).toContain(await outcome);
    if (from === 0) expect(await outcome).toBe('ABORTED');
    const after = fetched();
    for (let turn = 0; turn < 10; turn++) await yieldTurn();
    expect(fetched() - after).toBeLessThanOrEqual(1);
  }
});
