/** Which requests a server that follows sends to the one that writes, and when it sends them again. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createHandler } from '../../handler.js';
import { serveNode } from '../../node/node.js';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../testing/listen.js';
import { Forwarder, isForHolder } from './forwarder.js';

const QUERY = { 'content-type': 'application/sparql-query; charset=utf-8' };

test.each<[boolean, string, string, Record<string, string>?]>([
  [false, 'GET', '/a/r/statements'],
  [false, 'HEAD', '/a/r/size'],
  [false, 'OPTIONS', '/a/r/jobs'],
  [false, 'POST', '/a/r/sparql', QUERY],
  [true, 'POST', '/a/r/sparql', { 'content-type': 'application/sparql-update' }],
  [true, 'POST', '/a/r/sparql', { 'content-type': 'application/x-www-form-urlencoded' }],
  [true, 'PUT', '/a/r/views/all', QUERY],
  [true, 'POST', '/a/r/transactions/1?action=QUERY', QUERY],
  [true, 'GET', '/a/r/status'],
  [true, 'GET', '/jobs/1'],
  [true, 'GET', '/ops'],
  [true, 'GET', '/queries'],
  [true, 'DELETE', '/a/r'],
  [true, 'POST', '/a/r/views/all', { ...QUERY, 'x-http-method-override': 'PUT' }],
])('%s: %s %s', (expected, method, url, headers = {}) => {
  expect(isForHolder(method, url, (name) => headers[name] ?? null)).toBe(expected);
});

test('a server that finds another holder sends its own requests again, and not those of another server', async () => {
  const waiting: string[] = [];
  const keys = new Set<unknown>();
  const old = await listen(({ url }) => void waiting.push(url!));
  const next = await listen(({ headers }, outgoing) => {
    keys.add(headers['quadrille-forwarded']);
    outgoing.writeHead(204, { ETag: '"x"' }).end();
  });
  const holders = [old, old];
  const forwarders = holders.map((_, i) => {
    const to = {
      mayHaveHolder: () => true,
      onRefused: () => undefined,
      linkProof: async () => 'me',
      linkPath: '/servers',
    };
    const forwarder = new Forwarder({ ...to, holder: () => holders[i] });
    onTestFinished(() => forwarder.close());
    return forwarder;
  });
  const urls = await Promise.all(
    forwarders.map((forwarder) => listen((incoming, outgoing) => void forwarder.forward(incoming, outgoing, true))),
  );
  const answers = urls.map((url, i) => fetch(`${url}/${i}`, { method: 'POST', body: 'x' }));
  await expect.poll(() => waiting.filter((url) => url !== '/servers').toSorted()).toEqual(['/0', '/1']);
  holders.fill(next);
  forwarders[0]!.leaveOthers(next);
  const answer = await answers[0]!;
  expect([answer.status, answer.headers.get('ETag'), keys.size]).toEqual([204, '"x"', 1]);
  // A turn of the event loop later the other request would have been sent again, too.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(keys.size).toBe(1);
  forwarders[1]!.leaveOthers(next);
  expect((await answers[1]!).status).toBe(204);
  expect(keys.size).toBe(2);
});

test.each([true, false])('a refusal reaches a client that is still sending (repeatable: %s)', async (isRepeatable) => {
  const database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  const node = await serveNode(createHandler({ database, open: true }), {
    port: 0,
  });
  const to = {
    mayHaveHolder: () => true,
    onRefused: () => undefined,
    linkProof: async () => 'me',
    linkPath: '/servers',
  };
  const forwarder = new Forwarder({ ...to, holder: () => node.url });
  onTestFinished(async () => {
    forwarder.close();
    await node.close(100);
    await database.close();
  });
  const url = await listen((incoming, outgoing) => void forwarder.forward(incoming, outgoing, isRepeatable));
  // Longer than an update may be. A client that sends all of it first reads the answer then.
  const body = `INSERT DATA { <urn:a> <urn:p> "${'x'.repeat(24 * 1024 * 1024)}" }`;
  for (const chunked of [false, true]) {
    const headers = {
      'Content-Type': 'application/sparql-update',
      ...(!chunked && { 'Content-Length': body.length }),
    };
    const sent = request(`${url}/acme/people/sparql`, {
      method: 'POST',
      headers,
    });
    // The other side closes the connection after the answer.
    sent.on('error', () => undefined);
    sent.once('socket', (socket) => socket.on('error', () => undefined));
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    for (let at = 0; at < body.length; at += 65_536)
      if (!sent.write(body.slice(at, at + 65_536))) await Promise.race([once(sent, 'drain'), answered]);
    sent.end();
    const [answer] = await answered;
    const text = (await answer.toArray()).join('');
    expect([answer.statusCode, (JSON.parse(text) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  }
});

test('a request is refused before its body comes', async () => {
  const holder = await listen((_, outgoing) => void outgoing.writeHead(413).end('too long'));
  const to = {
    mayHaveHolder: () => true,
    onRefused: () => undefined,
    linkProof: async () => 'me',
    linkPath: '/servers',
  };
  const forwarder = new Forwarder({ ...to, holder: () => holder });
  onTestFinished(() => forwarder.close());
  const url = await listen((incoming, outgoing) => void forwarder.forward(incoming, outgoing, true));
  const sent = request(url, {
    method: 'POST',
    headers: { 'Content-Length': 3_000_000_000 },
  });
  onTestFinished(() => void sent.destroy());
  sent.on('error', () => undefined).flushHeaders();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(413);
});
