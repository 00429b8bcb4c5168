/** The event stream of a repository, read by the client ldes-client from npm, which npx downloads. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createHandler, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

test('ldes-client gets every member once, in order', async () => {
  const database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  for (let n = 0; n < 150; n++) {
    const about = `<urn:s${String(n % 7)}>`;
    await repository.update(
      n % 5 === 4 ? `DELETE WHERE { ${about} ?p ?o }` : `INSERT DATA { ${about} <urn:p> ${String(n)} }`,
    );
  }
  const expected: string[] = [];
  const head = await repository.revision();
  for (let number = 2; number <= head.number; number++)
    for await (const { quad } of repository.diff(number - 1, number))
      expected.push(`${String(number)} ${quad.subject.value}`);
  const service = await openService(database, { open: true });
  const server = await serveNode(createHandler({ service }), { port: 0 });
  const cwd = await mkdtemp(join(tmpdir(), 'quadrille-ldes-'));
  onTestFinished(async () => {
    await server.close();
    await rm(cwd, { recursive: true, force: true });
  });
  const args = ['--yes', 'ldes-client@0.3.0', `${server.url}/acme/people/ldes`, '--ordered', 'ascending'];
  const { stdout } = await run('npx', args, { cwd, maxBuffer: 64 * 1024 ** 2, timeout: 180_000 });
  const MEMBER = /#([\da-f-]{36})\/(\S+)> <https:\/\/www\.w3\.org\/ns\/activitystreams#object>/g;
  const numbers = new Map<string, number>();
  for await (const { id, number } of repository.log()) numbers.set(id, number);
  const got = [...stdout.matchAll(MEMBER)].map(
    ([, id, subject]) => `${String(numbers.get(id!))} ${decodeURIComponent(subject!)}`,
  );
  expect(got.length).toBe(new Set(got).size);
  expect(got.toSorted()).toEqual([...new Set(expected)].toSorted());
});
