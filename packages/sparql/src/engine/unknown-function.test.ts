/** Functions that nobody knows: refused before anything runs, with what may be meant. */
import { expect, test } from 'vitest';
import type { EvaluationError } from '@quadrille/model';
import { ArrayDataset } from '../testing/array-dataset.js';
import { answer, datasetOf, engine } from '../testing/fixtures.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const data = datasetOf('ex:a ex:p 1');
const UNKNOWN = 'the function <urn:f> is not known: open(…, { functions }) adds functions';

async function failure(run: Promise<unknown>): Promise<EvaluationError> {
  return run.then(
    () => {
      throw new Error('nothing was refused');
    },
    (error: EvaluationError) => error,
  );
}

test.each([
  ['SELECT * { ?s ?p ?o FILTER(<urn:f>(?o)) }', UNKNOWN],
  [
    `SELECT * { ?s ?p ?o BIND(<${XSD}integr>(?o) AS ?x) }`,
    `the function <${XSD}integr> is not known, did you mean <${XSD}integer>? open(…, { functions }) adds functions`,
  ],
  [`SELECT (<${XSD}boolean>(?o, 1) AS ?x) { ?s ?p ?o }`, `the function <${XSD}boolean> takes 1 argument, not 2`],
  [`SELECT (<${XSD}string>() AS ?x) { ?s ?p ?o }`, `the function <${XSD}string> takes 1 argument, not 0`],
  [
    `SELECT (<${XSD}integer>(DISTINCT ?o) AS ?x) { ?s ?p ?o }`,
    `the function <${XSD}integer> is no aggregate: it cannot have DISTINCT`,
  ],
  ['SELECT (SUM(<urn:f>(?o)) AS ?x) { ?s ?p ?o }', UNKNOWN],
  ['SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING(<urn:f>(?s))', UNKNOWN],
  ['SELECT * { ?s ?p ?o } ORDER BY <urn:f>(?s)', UNKNOWN],
  ['ASK { ?s ?p ?o FILTER NOT EXISTS { ?s ?q ?r FILTER(<urn:f>(?r)) } }', UNKNOWN],
  ['ASK { ?s ?p ?o OPTIONAL { ?s ?q ?r FILTER(<urn:f>(?r)) } }', UNKNOWN],
])('%s', async (text, message) => {
  const error = await failure(answer(text, await data));
  expect(error).toMatchObject({ name: 'EvaluationError', code: 'UNKNOWN_FUNCTION', message });
  // The message speaks of no package.
  expect(error.message).not.toMatch(/comunica|npm|install/i);
});

test('an update with one is refused before its operation changes anything', async () => {
  const staged = new ArrayDataset([...(await data).quads]);
  const text = 'INSERT { ?s <urn:q> ?o } WHERE { ?s ?p ?o FILTER(<urn:f>(?o)) }';
  expect(await failure(engine.update(text, staged))).toMatchObject({ code: 'UNKNOWN_FUNCTION' });
  expect(staged.quads).toHaveLength(1);
});

test('explaining a query with one', async () => {
  const error = await failure(engine.explain('ASK { FILTER(<urn:f>(1)) }', await data));
  expect(error).toMatchObject({ code: 'UNKNOWN_FUNCTION', details: { function: 'urn:f' } });
});
