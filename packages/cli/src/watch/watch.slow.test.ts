/** `quadrille watch`, against a store and against servers that come and go. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { open, type Repository } from 'quadrille';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import { quadrille, start, type Workspace, workspace } from '../testing/command.js';

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

const insert = (repository: Repository, number: number) =>
  repository.update(`INSERT DATA { <urn:s> <urn:p${String(number % 2)}> <urn:o${String(number)}> }`);

const numbers = (text: string): number[] =>
  [...text.matchAll(/^H number "(\d+)"/gm)].map(([, number]) => Number(number));

function watch(args: readonly string[], env: Record<string, string> = {}) {
  const child = start(['watch', ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told = { text: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told.text += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told.errors += text));
  return { child, told, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) };
}

test('a store: the revisions after one, and the end', async () => {
  const database = await open(work.store, { create: true });
  const repository = await database.repository('default/default', { create: true });
  for (let i = 2; i <= 5; i++) await insert(repository, i);
  const last = await repository.revision();
  await database.close();
  const all = await quadrille(['watch', work.store, '--since', '1']);
  expect([all.code, all.stderr, numbers(all.stdout)]).toEqual([0, '', [2, 3, 4, 5]]);
  expect(all.stdout).toContain(`H id <urn:uuid:${last.id}> .\n`);
  expect(all.stdout).toMatch(/TX \.\nA <urn:s> <urn:p1> <urn:o5> \.\nTC \.\n$/);
  const some = await quadrille(['watch', work.store, '--since', '1', '-p', 'urn:p1', '-n', '1']);
  expect([some.code, numbers(some.stdout)]).toEqual([0, [3]]);
  expect(await quadrille(['watch', work.store])).toMatchObject({ code: 0, stdout: '' });
  const unknown = await quadrille(['watch', work.store, '--since', '99']);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('(REVISION_NOT_FOUND)')]);
});

test('a server that is restarted: each revision once, until a signal', async () => {
  const database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  const service = await openService(database);
  const { text: token } = await service.tokens.create('acme');
  const handler = createHandler({ service });
  let node: NodeServer = await serveNode(handler, { port: 0 });
  onTestFinished(async () => {
    await node.close(100);
    await service.close();
    await database.close();
  });
  const { port, url } = node;
  const address = `${url}/acme/people`;
  const refused = await quadrille(['watch', address]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('(UNAUTHENTICATED)')]);
  const { child, told, ended } = watch([address], { QUADRILLE_TOKEN: token });
  const file = await work.file('token', `${token}\n`);
  const filtered = watch([`${address}/`, '--token-file', file, '--since', '1', '-p', 'urn:p1', '-n', '3']);
  await expect.poll(() => service.feeds.open, { timeout: 10_000 }).toBe(2);
  await insert(repository, 2);
  await insert(repository, 3);
  await expect.poll(() => numbers(told.text)).toEqual([2, 3]);
  await node.close();
  await insert(repository, 4);
  node = await serveNode(handler, { port });
  await insert(repository, 5);
  const large = `INSERT { ?s <urn:p1> "${'x'.repeat(600_000)}" } WHERE { VALUES ?s { <urn:a> <urn:b> } }`;
  await repository.update(large);
  await expect.poll(() => told.text.match(/^TC \.$/gm), { timeout: 15_000 }).toHaveLength(5);
  expect(numbers(told.text)).toEqual([2, 3, 4, 5]);
  expect(told.text.match(/^A <urn:[ab]> <urn:p1> "x+" \.$/gm)).toHaveLength(2);
  expect([await filtered.ended, filtered.told.errors, numbers(filtered.told.text)]).toEqual([0, '', [3, 5]]);
  expect(filtered.told.text.match(/^TC \.$/gm)).toHaveLength(3);
  child.kill('SIGINT');
  expect([await ended, told.errors]).toEqual([0, '']);
});

const ROWS = 'SELECT ?o { ?s <urn:p1> ?o }';
/** The rows of lines, and the path of each update. */
const rowsOf = (text: string): string[] =>
  text
    .replaceAll(/^# \S+ /gm, '')
    .trim()
    .split('\n');

test('the answer of a query in a store, whole or since a revision', async () => {
  const database = await open(work.store, { create: true });
  const repository = await database.repository('default/default', { create: true });
  for (let i = 2; i <= 5; i++) await insert(repository, i);
  const { id } = await repository.revision();
  await database.close();
  const whole = await quadrille(['watch', work.store, '--query', ROWS]);
  expect([whole.code, whole.stderr, rowsOf(whole.stdout).toSorted()]).toEqual([
    0,
    '',
    ['+ ?o <urn:o3>', '+ ?o <urn:o5>', 'initial'],
  ]);
  expect(whole.stdout).toMatch(new RegExp(`^# ${id} initial\n`));
  const file = await work.file('query.rq', ROWS);
  const since = await quadrille(['watch', work.store, '--file', file, '--since', '3', '--json']);
  expect(JSON.parse(since.stdout)).toEqual({
    revision: id,
    path: 'delta',
    added: [{ o: { type: 'uri', value: 'urn:o5' } }],
    removed: [],
  });
  for (const [args, said] of [
    [['--query', ROWS, '-s', 'urn:s'], 'do not go together'],
    [['--query', ROWS, '--file', file], 'not both'],
    [['--json'], '--json is for --query'],
    [['--query', 'ASK {}'], '(INVALID_OPTION)'],
    [['--query', 'SELECT'], '(SPARQL_SYNTAX)'],
  ] as const) {
    const outcome = await quadrille(['watch', work.store, ...args]);
    expect([outcome.code === 0, outcome.stderr]).toEqual([false, expect.stringContaining(said)]);
  }
});

test('the answer of a query on a server that is restarted: each row once, until a signal or a limit', async () => {
  const database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  const service = await openService(database, { open: true });
  const handler = createHandler({ service });
  let node: NodeServer = await serveNode(handler, { port: 0 });
  onTestFinished(async () => {
    await node.close(100);
    await service.close();
    await database.close();
  });
  const { port, url } = node;
  await insert(repository, 1);
  const { child, told, ended } = watch([`${url}/acme/people`, '--query', ROWS]);
  const some = watch([`${url}/acme/people/`, '--query', ROWS, '--since', '1', '-n', '2', '--json']);
  await expect.poll(() => rowsOf(told.text), { timeout: 15_000 }).toEqual(['initial', '+ ?o <urn:o1>']);
  await expect.poll(() => some.told.text, { timeout: 15_000 }).toContain('"delta"');
  await insert(repository, 3);
  await expect.poll(() => rowsOf(told.text), { timeout: 15_000 }).toHaveLength(4);
  expect([await some.ended, some.told.errors]).toEqual([0, '']);
  await node.close();
  await insert(repository, 5);
  await repository.update('DELETE DATA { <urn:s> <urn:p1> <urn:o1> }');
  node = await serveNode(handler, { port });
  await expect
    .poll(() => rowsOf(told.text), { timeout: 15_000 })
    .toEqual(['initial', '+ ?o <urn:o1>', 'delta', '+ ?o <urn:o3>', 'delta', '- ?o <urn:o1>', '+ ?o <urn:o5>']);
  const updates = some.told.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { added: unknown[] });
  expect(updates.map(({ added }) => added)).toEqual([
    [{ o: { type: 'uri', value: 'urn:o1' } }],
    [{ o: { type: 'uri', value: 'urn:o3' } }],
  ]);
  const wrong = await quadrille(['watch', `${url}/acme/people`, '--query', 'CONSTRUCT WHERE { ?s ?p ?o }']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('live follows the answer of a SELECT')]);
  child.kill('SIGINT');
  expect([await ended, told.errors]).toEqual([0, '']);
});

test.each([
  [(url: string) => [`${url}/acme/people`], 1, 'FETCH_FAILED'],
  [(url: string) => [`${url}/acme/people?x=1`], 2, 'INVALID_OPTION'],
  [() => ['http://user:secret@127.0.0.1/a/b'], 2, 'INVALID_OPTION'],
  [() => ['http://127.0.0.1:1/a/b'], 1, 'FETCH_FAILED'],
])('what is no repository of a server is refused: %#', async (args, code, name) => {
  const other: Server = createServer((_, response) => void response.end('hello'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`;
  const outcome = await quadrille(['watch', ...args(url)]);
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(`(${name})`)]);
  expect(outcome.stderr).not.toContain('secret');
});
