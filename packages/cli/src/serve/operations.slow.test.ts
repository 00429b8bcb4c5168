// What an operator does with a server that runs, as processes of their own.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { get as getTls } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { quadrille, type Served, type Workspace, workspace } from '../testing/command.js';

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

const serve = (...args: string[]): Promise<Served> => work.serve(['--json', ...args]);

/** An upload whose end is not sent yet. */
function upload({ url }: Served): { status: Promise<number | undefined>; end: () => void } {
  // With this header it is a job, which tells that it has begun.
  const headers = { 'Content-Type': 'text/turtle', 'Content-Length': 18, 'Client-Request-Id': 'mine' };
  const sent = request(`${url}/default/default/statements`, { method: 'POST', headers, agent: false });
  const status = once(sent, 'response').then(([response]) => (response as IncomingMessage).resume().statusCode);
  status.catch(() => undefined);
  sent.on('error', () => undefined).write('<urn:a>');
  return { status, end: () => void sent.end(' <urn:p> 1.') };
}

const jobs = async ({ url }: Served): Promise<number> =>
  ((await (await fetch(`${url}/jobs`)).json()) as unknown[]).length;
const readiness = async ({ url }: Served): Promise<number> => (await fetch(`${url}/ready`)).status;

test('SIGTERM: answers under way end, new requests are refused, exit code 0', async () => {
  const served = await serve('--open');
  const begun = upload(served);
  await expect.poll(() => jobs(served)).toBe(1);
  expect(await readiness(served)).toBe(200);
  served.child.kill('SIGTERM');
  await expect.poll(() => readiness(served)).toBe(503);
  const call = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"DescribeService"}' };
  for (const [path, init] of [['/default/default/size'], ['/rpc', call]] as const) {
    const refused = await fetch(served.url + path, init);
    expect([path, refused.status, refused.headers.get('Connection')]).toEqual([path, 503, 'close']);
    expect(await refused.json()).toMatchObject({ code: 'NOT_READY' });
  }
  begun.end();
  expect(await begun.status).toBe(204);
  expect(await served.ended).toBe(0);
  expect((await quadrille(['size', work.store])).stdout).toBe('1\n');
});

test('after --drain-timeout they are cut, and the exit code is 1', async () => {
  const served = await serve('--open', '--drain-timeout', '300ms');
  const begun = upload(served);
  await expect.poll(() => jobs(served)).toBe(1);
  served.child.kill('SIGTERM');
  expect(await served.ended).toBe(1);
  await expect(begun.status).rejects.toThrow();
  expect((await quadrille(['size', work.store])).stdout).toBe('0\n');
});

test('--base-path: everything below it, RPC too', async () => {
  const { url } = await serve('--open', '--base-path', '/rdf');
  expect(url).toMatch(/:\d+\/rdf$/);
  const root = url.slice(0, -4);
  const form = { method: 'POST', body: new URLSearchParams({ name: 'x' }) };
  const made = await fetch(`${url}/default/repositories`, form);
  expect(made.headers.get('Location')).toBe(`${url}/default/x`);
  const headers = { 'Content-Type': 'application/json' };
  const call = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"DescribeService"}', headers };
  expect(((await (await fetch(`${url}/rpc`, call)).json()) as { result: object }).result).toMatchObject({
    status: 'nominal',
  });
  for (const path of ['/health', '/default/default', '/rpc', '/']) {
    const outside = await fetch(root + path, path === '/rpc' ? call : {});
    expect([path, outside.status]).toEqual([path, 404]);
  }
  for (const path of ['rdf', '/a/..', '/a b'])
    expect(await quadrille(['serve', work.store, '--base-path', path])).toMatchObject({ code: 2, stdout: '' });
});

test('--open: pages of other sites get nothing, whatever name they give this machine', async () => {
  const served = await serve('--open');
  const port = Number(new URL(served.url).port);
  const ask = (path: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject).end(method === 'POST' ? '{}' : undefined);
    });
  const json = { 'Content-Type': 'application/json', 'Content-Length': '2' };
  for (const path of ['/', '/default/default/size', '/health']) {
    expect(await ask(path, { Host: 'rebound.example' })).toBe(421);
    expect(await ask(path, { Host: `localhost:${String(port)}`, Origin: 'https://evil.example' })).toBe(403);
    expect(await ask(path, { Host: `localhost:${String(port)}`, Origin: 'http://localhost:3000' })).toBe(200);
  }
  expect(await ask('/rpc', { ...json, Host: 'rebound.example' }, 'POST')).toBe(421);
  expect(await ask('/rpc', { ...json, Host: 'localhost', Origin: 'https://evil.example' }, 'POST')).toBe(403);
  expect(await ask('http://rebound.example/default/default/size', { Host: 'localhost' })).toBe(421);
});

function certificate(name: string): { cert: string; key: string } {
  const [cert, key] = [join(work.directory, `${name}.pem`), join(work.directory, `${name}.key`)];
  const args = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...args.split(' '), ...names], { stdio: 'ignore' });
  return { cert, key };
}

test('--tls-cert and --tls-key; SIGHUP reads them again', async () => {
  const [first, second] = [certificate('first'), certificate('second')];
  const files = { cert: join(work.directory, 'cert.pem'), key: join(work.directory, 'key.pem') };
  const use = async ({ cert, key }: { cert: string; key: string }): Promise<void> => {
    await copyFile(cert, files.cert);
    await copyFile(key, files.key);
  };
  await use(first);
  const served = await serve('--open', '--tls-cert', files.cert, '--tls-key', files.key);
  expect(served.url).toMatch(/^https:/);
  const nameOf = (): Promise<string> =>
    new Promise((resolve, reject) => {
      getTls(`${served.url}/health`, { rejectUnauthorized: false, agent: false }, (response) => {
        const { subject } = (response.socket as TLSSocket).getPeerCertificate();
        response.resume().once('end', () => resolve(String(subject.CN)));
      }).once('error', reject);
    });
  expect(await nameOf()).toBe('first');
  // A certificate without its key: the earlier one stays.
  await copyFile(second.cert, files.cert);
  served.child.kill('SIGHUP');
  await expect.poll(served.log).toContain('the certificate was not replaced');
  expect(await nameOf()).toBe('first');
  await use(second);
  served.child.kill('SIGHUP');
  await expect.poll(nameOf).toBe('second');
  served.child.kill('SIGTERM');
  expect(await served.ended).toBe(0);
  for (const [args, code] of [
    [['--tls-cert', files.cert], 2],
    [['--tls-key', files.key], 2],
    [['--tls-cert', first.cert, '--tls-key', second.key], 2],
    [['--tls-cert', 'nowhere.pem', '--tls-key', second.key], 66],
  ] as const)
    expect(await quadrille(['serve', work.store, ...args]), args.join(' ')).toMatchObject({ code, stdout: '' });
});

test('--access-log: a line of JSON for each request, and no stack for a query that takes too long', async () => {
  const served = await serve('--access-log', '--query-timeout', '50ms');
  const headers = { Authorization: `Bearer ${served.token}`, 'Content-Type': 'text/turtle' };
  const statements = `${served.url}/default/default/statements`;
  const body = Array.from({ length: 1000 }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`).join('\n');
  await fetch(statements, { method: 'POST', body, headers });
  const query = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c + ?f + ?i < 0) }';
  const late = await fetch(`${served.url}/default/default/sparql?query=${encodeURIComponent(query)}`, { headers });
  expect([late.status, await late.json()]).toMatchObject([503, { code: 'QUERY_TIMEOUT' }]);
  await fetch(`${served.url}/rpc`, { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } });
  await expect.poll(() => served.log().split('\n').length).toBeGreaterThan(3);
  const lines = served
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const seen = lines.map(({ level, method, route, status, account }) => [level, method, route, status, account]);
  expect(seen).toEqual([
    ['info', 'POST', '/:account/:repository/statements', 204, 'default'],
    ['info', 'GET', '/:account/:repository/sparql', 503, 'default'],
    ['info', 'POST', '/rpc', 400, null],
  ]);
  for (const line of lines)
    expect(line).toMatchObject({
      time: expect.stringMatching(/Z$/),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address: '127.0.0.1',
      bytes: expect.any(Number),
      durationMs: expect.any(Number),
    });
  expect(lines[1]).toMatchObject({ bytes: Number(late.headers.get('Content-Length')) });
  expect(served.log()).not.toMatch(/COUNT|stack|urn:s/);
});

test('documents of strangers are parsed by the parsers of the server', async () => {
  const { url } = await serve('--open');
  const body = '{"@context":"http://127.0.0.1:8080/context","@id":"urn:x","p":1}';
  const sent = { method: 'POST', body, headers: { 'Content-Type': 'application/ld+json' } };
  const refused = await fetch(`${url}/default/default/statements`, sent);
  // Others would tell where in the document it was.
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'BLOCKED_ADDRESS' }]);
});

test('a store that cannot be opened ends the server, with its reason', async () => {
  const held = await serve('--open');
  const second = await quadrille(['serve', work.store, '--port', '0', '--json']);
  expect([second.code, second.stdout, JSON.parse(second.stderr)]).toMatchObject([1, '', { code: 'STORE_LOCKED' }]);
  held.child.kill('SIGTERM');
  expect(await held.ended).toBe(0);
});

test('a write with an Idempotency-Key is done once, though the server is killed at any moment', async () => {
  const headers = { 'Content-Type': 'application/sparql-update' };
  const body = 'INSERT { ?n <urn:p> 1 } WHERE { BIND(UUID() AS ?n) }';
  const insert = ({ url }: Served, key: string): Promise<Response> =>
    fetch(`${url}/default/default/sparql`, { method: 'POST', headers: { ...headers, 'Idempotency-Key': key }, body });
  const keys = Array.from({ length: 40 }, (_, i) => `key-${String(i)}`);
  let served = await serve('--open');
  for (let round = 0; round < 2; round++) {
    const sent = keys.map((key) => insert(served, key).catch(() => undefined));
    // One more is answered, and others are under way.
    await Promise.race(sent);
    served.child.kill('SIGKILL');
    await Promise.all([served.ended, ...sent]);
    served = await serve('--open');
  }
  for (const key of keys) expect((await insert(served, key)).status).toBe(204);
  expect((await insert(served, keys[0]!)).headers.get('Idempotency-Replayed')).toBe('true');
  served.child.kill('SIGTERM');
  expect(await served.ended).toBe(0);
  expect((await quadrille(['size', work.store])).stdout).toBe('40\n');
});
