/** Each server as a process of its own, asked over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandOf } from '../../test/runtimes/command.js';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'quadrille-servers-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** What each of them must do: its own page, a write with and without the token, a query, a large body, an error. */
async function checkServer(ask: Ask): Promise<void> {
  const update = (text: string, headers = {}): Promise<Response> =>
    ask('/rdf/acme/people/sparql', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/sparql-update', ...headers },
    });
  const token = { authorization: 'Bearer secret' };
  expect((await update('INSERT DATA { <urn:a> <urn:b> 1 }')).status).toBe(401);
  expect((await update('INSERT DATA { <urn:a> <urn:b> 1 }', token)).status).toBe(204);
  const lines = Array.from({ length: 10_000 }, (_, n) => `<urn:s${n}> <urn:p> "value ${n}" .\n`).join('');
  const headers = { 'content-type': 'application/n-triples', ...token };
  const loaded = await ask('/rdf/acme/people/statements', { method: 'POST', body: lines, headers });
  expect([loaded.status, lines.length > 300_000]).toEqual([204, true]);
  const count = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
  const answer = await ask(`/rdf/acme/people/sparql?query=${encodeURIComponent(count)}`, {
    headers: { accept: 'text/csv' },
  });
  expect([answer.status, await answer.text()]).toEqual([200, 'n\r\n10001\r\n']);
  const broken = await ask('/rdf/acme/people/sparql?query=SELECT');
  expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'SPARQL_SYNTAX' }]);
}

test.each([
  ['express', ['express.mjs']],
  ['fastify', ['fastify.mjs']],
  ['hono', ['hono.mjs']],
  ['the route for Next.js', ['next/serve.mjs']],
] as const)('%s', async (_name, args) => {
  const command = commandOf(args);
  const child = spawn(command.program, command.args, {
    cwd: import.meta.dirname,
    env: { ...process.env, PORT: '0', STORE: join(directory, 'store'), RDF_TOKEN: 'secret' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const url = text.trim();
    const own = await fetch(url);
    expect([own.status, await own.text()]).toEqual([200, 'my own page']);
    await checkServer((path, init) => fetch(url + path, init));
    child.kill('SIGTERM');
    const [last] = (await once(child.stdout, 'data')) as [string];
    expect(last).toBe('closed\n');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
