import { expect, test } from 'vitest';
import { bodyOf, hosted, OTHER, OWNER, triples, until } from '../testing/fixtures.js';
import type { Service, ServiceOptions } from '../index.js';

const NAME = 'acme/people';

async function filled(options: ServiceOptions = {}, count = 3): Promise<Service> {
  const service = await hosted(options);
  const source = { body: bodyOf(triples(count)), mediaType: 'application/n-triples' };
  await service.imports.run(OWNER, NAME, { source });
  return service;
}
const ended = (service: Service, uuid: string): Promise<void> =>
  until(() => !['pending', 'running'].includes(service.jobs.get(OWNER, uuid).status));

test.each([
  ['SELECT ?s WHERE { ?s ?p "o1" }', { results: { bindings: [{ s: { type: 'uri', value: 'urn:s1' } }] } }],
  ['ASK { ?s ?p "o1" }', { boolean: true }],
  [
    'CONSTRUCT WHERE { ?s ?p "o2" }',
    { head: { vars: ['s', 'p', 'o'] }, results: { bindings: [{ o: { value: 'o2' } }] } },
  ],
])('%s', async (text, document) => {
  const service = await filled();
  const uuid = await service.queries.start(OWNER, NAME, text);
  await ended(service, uuid);
  expect(service.jobs.get(OWNER, uuid)).toMatchObject({ kind: 'query', status: 'completed', percent: 100 });
  expect(JSON.parse(service.queries.answer(OWNER, uuid))).toMatchObject(document);
  expect(() => service.queries.answer(OTHER, uuid)).toThrow('there is no job');
  expect(service.jobs.latest(NAME)?.kind).toBe('import');
});

test('what cannot be asked', async () => {
  const service = await filled();
  await expect(service.queries.start(OWNER, NAME, 'SELECT')).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
  await expect(service.queries.start(OWNER, NAME, 'CLEAR ALL')).rejects.toMatchObject({ code: 'NOT_A_QUERY' });
  await expect(service.queries.start(OTHER, NAME, 'ASK {}')).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
});

test('an answer is there when the query has ended, for a while, and not where it was aborted', async () => {
  let now = 0;
  const service = await filled({ now: () => now }, 300);
  const cross = 'SELECT (COUNT(*) AS ?n) WHERE { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER(STR(?x) < STR(?z)) }';
  const slow = await service.queries.start(OWNER, NAME, cross);
  expect(() => service.queries.answer(OWNER, slow)).toThrow('has not ended');
  await service.jobs.abort(OWNER, slow);
  expect(service.jobs.get(OWNER, slow).status).toBe('aborted');
  expect(() => service.queries.answer(OWNER, slow)).toThrow('aborted');

  const short = await service.queries.start(OWNER, NAME, 'ASK {}');
  await ended(service, short);
  now += 9 * 60_000;
  expect(service.queries.answer(OWNER, short)).toContain('true');
  now += 2 * 60_000;
  expect(() => service.queries.answer(OWNER, short)).toThrow('ten minutes');
});

test('an answer has a limit', async () => {
  const service = await filled({}, 300);
  const uuid = await service.queries.start(OWNER, NAME, 'SELECT * WHERE { ?a ?p ?x . ?b ?q ?y }');
  await ended(service, uuid);
  expect(service.jobs.get(OWNER, uuid)).toMatchObject({ status: 'failed', error: { code: 'RESULT_TOO_LARGE' } });
});
