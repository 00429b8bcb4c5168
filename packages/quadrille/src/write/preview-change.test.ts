/** Loads and updates that only tell what they would do. */
import { iri } from '@quadrille/model';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open, type Repository } from '../index.js';

let db: Database;
let repo: Repository;
beforeEach(async () => {
  db = await open(':memory:');
  repo = await db.repository('acme/people', { create: true });
  await repo.update('INSERT DATA { <urn:a> <urn:p> 1 , 2 . GRAPH <urn:g> { <urn:a> <urn:p> 3 } }');
});
afterEach(() => db.close());

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .\n`).join('');

test.each([
  ['new data', 'INSERT DATA { <urn:b> <urn:p> 1 , 2 }', 2, 0],
  ['data that is there', 'INSERT DATA { <urn:a> <urn:p> 1 }', 0, 0],
  ['what it reads', 'DELETE { ?s ?p ?o } INSERT { ?s ?p 9 } WHERE { ?s ?p ?o }', 1, 2],
  ['several operations', 'DELETE DATA { <urn:a> <urn:p> 1 } ; INSERT DATA { <urn:a> <urn:p> 1 }', 0, 0],
  ['everything', 'CLEAR ALL', 0, 3],
])('an update: %s', async (_, text, added, removed) => {
  const before = await repo.revision();
  expect(await repo.update(text, { dryRun: true, message: 'tried' })).toEqual({ added, removed });
  expect([await repo.revision(), await repo.size()]).toEqual([before, 3]);
  // It is what the update does then.
  const { id } = await repo.update(text);
  if (id !== before.id) expect(await repo.revision()).toMatchObject({ added, removed });
});

test.each([10, 100_000])('a load of %i quads', async (count) => {
  const before = await repo.revision();
  const text = `${lines(count)}<urn:a> <urn:p> "x" .\n`;
  const options = { format: 'nt', dryRun: true } as const;
  expect(await repo.load({ text }, options)).toEqual({ added: count + 1, removed: 0 });
  expect(await repo.load({ text }, { ...options, replace: true })).toEqual({ added: count + 1, removed: 3 });
  const graph = iri('urn:g');
  expect(await repo.load({ text }, { ...options, replace: true, graph })).toEqual({ added: count + 1, removed: 1 });
  expect([await repo.revision(), await repo.size()]).toEqual([before, 3]);
  expect(await repo.load({ text }, { format: 'nt' })).toMatchObject({ number: 3, added: count + 1 });
});

test('what would be refused is refused, and changes nothing', async () => {
  await repo.settings.set({ functional: ['urn:one'] });
  const before = await repo.revision();
  const refused = async (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const preview = { dryRun: true } as const;
  expect(await refused(repo.update('INSERT DATA {', preview))).toBe('SPARQL_SYNTAX');
  expect(await refused(repo.update('CLEAR ALL', { ...preview, ifRevision: 1 }))).toBe('REVISION_CONFLICT');
  expect(await refused(repo.load({ text: '<urn:a>' }, { ...preview, format: 'nt' }))).toBe('RDF_SYNTAX');
  expect(await refused(repo.load({ text: '' }, { dryRun: 'yes' as never, format: 'nt' }))).toBe('INVALID_OPTION');
  expect(await refused((await repo.prepare('CLEAR ALL')).update(preview as never))).toBe('INVALID_OPTION');
  expect(await repo.revision()).toEqual(before);
});
