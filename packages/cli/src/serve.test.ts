import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { quadrille, start, type Workspace, workspace } from './testing/command.js';

let work: Workspace;
let running: ChildProcess[] = [];
beforeEach(async () => {
  work = await workspace();
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  await work.remove();
});

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

async function serve(...args: string[]): Promise<Served> {
  const child = start(['serve', work.store, ...args]);
  running.push(child);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const line = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  return { url: /http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '', child, ended };
}

test('serves a new store, and what was written is there afterwards', async () => {
  const { url, child, ended } = await serve('--port', '0', '--json');
  const statements = `${url}/default/default/statements`;
  const response = await fetch(statements, {
    method: 'POST',
    headers: { 'Content-Type': 'text/turtle' },
    body: '<urn:a> <urn:p> "1" .',
  });
  expect(response.status).toBe(204);
  const query = `${url}/default/default/sparql?query=${encodeURIComponent('ASK { <urn:a> ?p ?o }')}`;
  expect(await (await fetch(query)).json()).toMatchObject({ boolean: true });

  const second = await quadrille(['size', work.store]);
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(new RegExp(`^quadrille: [^\n]*${String(child.pid)}[^\n]*\\(STORE_LOCKED\\)\n$`));

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect((await quadrille(['size', work.store])).stdout).toBe('1\n');
});

test('one JSON line with the url, or a summary for a person', async () => {
  const child = start(['serve', work.store, '--port', '0', '--json']);
  running.push(child);
  const line = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  expect(JSON.parse(line)).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), pid: child.pid });
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  const { url } = await serve('--port', '0');
  expect((await fetch(`${url}/default/repositories`)).status).toBe(200);
});

test('a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const outcome = await quadrille(['serve', work.store, '--port', String(port)]);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toMatch(new RegExp(`^quadrille: port ${String(port)} is in use.*\\(EADDRINUSE\\)\n$`));
  other.close();
});
