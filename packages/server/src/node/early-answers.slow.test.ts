/** Answers that come before the end of the body reach a client that is still sending, whatever the body is. */
import { connect } from 'node:net';
import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '../handler.js';
import { type NodeServer, serveNode } from './node.js';

let node: NodeServer;
let end: () => Promise<void>;
beforeAll(async () => {
  const database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  const service = await openService(database, {
    open: true,
    limits: { updateBytes: 2_000_000, transactionBytes: 1_000_000 },
  });
  node = await serveNode(createHandler({ service }), { port: 0 });
  end = async () => {
    await node.close(0);
    await service.close();
    await database.close();
  };
});
afterAll(() => end());

const MB = 1024 ** 2;
const LONG = 8 * MB;

interface Way {
  /** Whether the client reads while it writes. Others read after their last byte, and lose what a reset takes. */
  readonly reads: boolean;
  readonly chunked?: boolean;
  readonly keep?: boolean;
}

/** Sends a body to its end, and gives the answer and whether all of the body was taken. */
function send(head: readonly string[], bytes: number, { reads, chunked = false, keep = false }: Way) {
  return new Promise<{ text: string; error: string | undefined }>((resolve) => {
    const socket = connect(node.port, '127.0.0.1');
    let text = '';
    let error: string | undefined;
    const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(bytes)}`;
    socket.write([...head, 'Host: localhost', framing, ...(keep ? [] : ['Connection: close']), '', ''].join('\r\n'));
    const piece = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    const more = (): void => {
      while (sent < bytes) {
        const part = piece.subarray(0, Math.min(piece.length, bytes - sent));
        sent += part.length;
        if (chunked) socket.write(`${part.length.toString(16)}\r\n`);
        const goesOn = socket.write(part);
        if (chunked) socket.write('\r\n');
        if (!goesOn) return void socket.once('drain', more);
      }
      if (chunked) socket.write('0\r\n\r\n');
      if (!reads) socket.resume();
      if (keep) socket.end();
    };
    socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
    if (!reads) socket.pause();
    socket.on('error', (reason: NodeJS.ErrnoException) => (error = reason.code));
    socket.on('close', () => resolve({ text, error }));
    more();
  });
}

const R = '/acme/people';
const BODIES = [
  ['an update', 'POST', `${R}/sparql`, 'application/sparql-update', 413],
  ['a form', 'POST', `${R}/sparql`, 'application/x-www-form-urlencoded', 413],
  ['a form of statements', 'POST', `${R}/statements`, 'application/x-www-form-urlencoded', 413],
  ['an update of statements', 'POST', `${R}/statements`, 'application/sparql-update', 413],
  ['a query', 'POST', `${R}/sparql`, 'application/sparql-query', 413],
  ['a query to parse', 'POST', `${R}/parse`, 'application/sparql-query', 413],
  ['JSON', 'POST', '/acme/repositories', 'application/json', 413],
  ['a view', 'PUT', `${R}/views/v`, 'application/sparql-query', 413],
  ['a prefix', 'PUT', `${R}/namespaces/ex`, 'text/plain', 413],
  ['a patch', 'POST', `${R}/changes`, 'application/rdf-patch', 413],
  ['a patch of graphs', 'PATCH', `${R}/service`, 'application/n-quads', 413],
  ['a document of an unknown type', 'POST', `${R}/statements`, 'image/png', 415],
  ['what nobody reads', 'POST', '/nothing/here/at/all', 'text/plain', 404],
] as const;

describe.each(BODIES)('%s', (_, method, path, type, status) => {
  const head = [`${method} ${path} HTTP/1.1`, `Content-Type: ${type}`];
  const ways = [
    ['that reads at its end', { reads: false }],
    ['that reads while it writes', { reads: true }],
    ['that sends chunks', { reads: false, chunked: true }],
    ['that keeps its connection', { reads: true, keep: true }],
  ] as const;
  test.each(ways.slice(0, path.endsWith('/sparql') ? ways.length : 1))('reaches a client %s', async (_name, way) => {
    const { text, error } = await send(head, LONG, way);
    expect([text.split('\r\n')[0], error]).toEqual([expect.stringContaining(`HTTP/1.1 ${String(status)}`), undefined]);
    expect(text).toContain('"requestId"');
  });
});

test('a client that never stops is read for a while only', async () => {
  const { text } = await send([`POST ${R}/sparql HTTP/1.1`, 'Content-Type: application/sparql-query'], 160 * MB, {
    reads: true,
  });
  expect(text).toContain('HTTP/1.1 413');
});

test('an update is as long as the setting says, a query is not', async () => {
  const update = `INSERT DATA { <urn:a> <urn:p> "${'x'.repeat(1_500_000)}" }`;
  const post = (type: string, body: string) =>
    fetch(`${node.url}${R}/sparql`, { method: 'POST', headers: { 'Content-Type': type }, body });
  expect((await post('application/sparql-update', update)).status).toBe(204);
  expect((await post('application/x-www-form-urlencoded', new URLSearchParams({ update }).toString())).status).toBe(
    204,
  );
  const form = new FormData();
  form.set('update', update);
  expect((await fetch(`${node.url}${R}/statements`, { method: 'POST', body: form })).status).toBe(204);
  const query = `ASK {} #${'x'.repeat(1_500_000)}`;
  expect((await post('application/sparql-query', query)).status).toBe(413);
  expect((await post('application/x-www-form-urlencoded', new URLSearchParams({ query }).toString())).status).toBe(413);
  expect((await post('application/sparql-update', update + ' '.repeat(1_000_000))).status).toBe(413);
});
