// A server that is killed while it imports: afterwards nothing of the import is there, and its job has failed.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve } from './curl.js';

const LINES = Array.from(
  { length: 1000 },
  (_, i) => `<urn:s> <urn:p${String(i)}> "${'x'.repeat(100)}${String(i)}" .\n`,
);

let directory: string;
let host: Server;
let address: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-interrupted-'));
  // It sends ten megabytes and then nothing more.
  host = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/n-triples');
    for (let i = 0; i < 80; i++)
      response.write(LINES.map((line) => line.replace('urn:s', `urn:s${String(i)}`)).join(''));
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  address = `127.0.0.1:${String((host.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  host.closeAllConnections();
  host.close();
  await rm(directory, { recursive: true, force: true });
});

async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('killed in the middle of an import', async () => {
  const store = join(directory, 'store');
  const first = await serve(store, '--allow', address);
  const headers = { Authorization: `Bearer ${first.token}` };
  const json = async (url: string): Promise<Record<string, unknown>> =>
    (await (await fetch(url, { headers })).json()) as Record<string, unknown>;
  const statements = `${first.url}/default/default/statements`;
  await fetch(statements, {
    method: 'POST',
    body: '<urn:a> <urn:p> 1 .',
    headers: { ...headers, 'Content-Type': 'text/turtle' },
  });

  const form = new URLSearchParams({ url: `http://${address}/data.nt` });
  const importing = fetch(statements, { method: 'PUT', body: form, headers }).catch(() => undefined);
  await expect
    .poll(() => json(`${first.url}/default/default/status`), { timeout: 20_000 })
    .toMatchObject({
      status: 'running',
      message: expect.stringMatching(/reading .*(?:[5-9]|1\d)\.\d MB, \d{4,} statements/),
    });
  const { uuid } = await json(`${first.url}/default/default/status`);
  // Long enough for the job to be on disk.
  await new Promise((done) => setTimeout(done, 500));
  first.child.kill('SIGKILL');
  await importing;

  const second = await serve(store);
  expect(await json(`${second.url}/jobs/${String(uuid)}`)).toMatchObject({
    uuid,
    status: 'failed',
    working: false,
    operation: 'import',
  });
  expect(await json(`${second.url}/jobs?status=failed`)).toHaveLength(1);
  expect(await json(`${second.url}/jobs`)).toEqual([]);
  expect(await (await fetch(`${second.url}/default/default/size`, { headers })).text()).toBe('1');
  second.child.kill('SIGTERM');
  await new Promise((done) => second.child.once('close', done));
  expect(await bytesOf(store)).toBeLessThan(2_000_000);
});
