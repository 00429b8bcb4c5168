// `quadrille load` to a server over a connection that breaks, to a server that is a process of its own.
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, type Outcome, quadrille, type Served, type Workspace, workspace } from './testing/command.js';

const SLOW = { timeout: 120_000 };

let work: Workspace;
let served: Served;
let proxy: Server;
/** Connections that sent more than this were cut, as often as `cuts` says. */
let most = Infinity;
let cuts = 0;
beforeEach(async () => {
  work = await workspace();
  served = await work.serve(['--json']);
  most = Infinity;
  cuts = 0;
  proxy = createServer((client) => {
    const server = connect(Number(new URL(served.url).port), '127.0.0.1');
    let sent = 0;
    client.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      server.write(chunk);
      if (sent <= most || cuts === 0) return;
      cuts--;
      client.destroy();
      server.destroy();
    });
    server.pipe(client);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterEach(async () => {
  proxy.close();
  await work.remove();
});

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<urn:s${String(i)}> <urn:p> "${'x'.repeat(80)}" .\n`).join('');
const load = (...args: string[]): Promise<Outcome> => {
  const url = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}/default/default`;
  return quadrille(['load', url, ...args], { env: { QUADRILLE_TOKEN: served.token! } });
};

test('a connection that breaks three times: one revision with all of the file', SLOW, async () => {
  const file = await work.file('many.nt', `${lines(30_000)}nonsense\n`);
  most = 700_000;
  cuts = 3;
  const loaded = await load('-m', 'grüße', '--on-error', 'skip', '--json', file);
  expect([loaded.code, cuts], loaded.stderr).toEqual([0, 0]);
  expect(jsonLines(loaded.stdout)).toMatchObject([{ number: 2, added: 30_000, size: 30_000, message: 'grüße' }]);
  expect(loaded.stderr.match(/the connection was lost; .* goes on at byte \d+/g)?.length).toBeGreaterThanOrEqual(3);
  expect(loaded.stderr).toContain(`skipped ${file}:30001:1`);
});

test('replaces, goes to a graph, and says what the server says', SLOW, async () => {
  const one = await work.file('one.ttl', '<urn:a> <urn:p> 1 , 2 .');
  const two = await work.file('two.ttl', '<urn:b> <urn:p> 3 .');
  const both = await load(one, two, '--graph', 'urn:g');
  expect(both).toMatchObject({ code: 0, stderr: '' });
  expect(both.stdout).toMatch(/^\S+one\.ttl: #2 .* \+2 -0 .*\n\S+two\.ttl: #3 .* \+1 -0 .*\n$/);
  expect((await load(two, '--replace')).stdout).toMatch(/#4 .* \+1 -3 /);
  const broken = await work.file('broken.ttl', '<urn:a> <urn:p> .');
  const failed = await load(broken);
  expect(failed).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('1:17') });
  expect(failed.code).not.toBe(0);
  for (const args of [['-'], [one, '--author', 'jo'], [one, '-r', 'default/default'], ['missing.ttl']])
    expect((await load(...args)).code, args.join(' ')).not.toBe(0);
});
