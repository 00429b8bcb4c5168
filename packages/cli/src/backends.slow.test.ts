import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };
const ONE = '<urn:a> <urn:p> "1" .\n';

let work: Workspace;
let store: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
});
afterEach(() => work.remove());

test('LMDB: commands read beside a server that has the store, and change it through the server', SLOW, async () => {
  const file = await work.file('one.nt', ONE);
  expect(await quadrille(['load', store, file, '--backend', 'lmdb'])).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(await readFile(join(store, 'quadrille.json'), 'utf8'))).toMatchObject({ backend: 'lmdb' });
  const server = await work.serve(['--open']);
  for (const command of [
    ['query', store, 'SELECT * { ?s ?p ?o }'],
    ['dump', store],
    ['log', store],
    ['size', store],
    ['verify', store],
  ])
    expect(await quadrille(command), command[0]).toMatchObject({ code: 0, stderr: '' });
  const update = await quadrille(['update', store, 'INSERT DATA { <urn:new> <urn:p> 1 }', '--json']);
  expect(jsonLines(update.stdout)).toMatchObject([{ added: 1 }]);
  server.child.kill('SIGTERM');
  await server.ended;
  expect((await quadrille(['size', store])).stdout).toBe('2\n');
});

test('serve makes a store of the backend that it is told', SLOW, async () => {
  const server = await work.serve(['--open'], { env: { QUADRILLE_BACKEND: 'lmdb' } });
  expect(JSON.parse(await readFile(join(store, 'quadrille.json'), 'utf8'))).toMatchObject({ backend: 'lmdb' });
  server.child.kill('SIGTERM');
  await server.ended;
  const other = await quadrille(['serve', store, '--backend', 'leveldb', '--json']);
  expect(jsonLines(other.stderr)).toMatchObject([{ code: 'INVALID_OPTION', details: { backend: 'lmdb' } }]);
});

test('an unknown backend is refused before anything is made', SLOW, async () => {
  const outcome = await quadrille(['load', store, await work.file('one.nt', ONE), '--backend', 'sqlite']);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain('leveldb, lmdb');
});
