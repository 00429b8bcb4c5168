/** Short bodies: with their heads in one packet, or after them, on one connection. */
import { connect, type Socket } from 'node:net';
import { open, type Database } from 'quadrille';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService } from '../host/index.js';
import { createHandler } from '../handler.js';
import { type NodeServer, serveNode } from './node.js';

let database: Database;
let node: NodeServer;
let end: () => Promise<void>;
beforeAll(async () => {
  database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  const service = await openService(database, { open: true });
  node = await serveNode(createHandler({ service }), { port: 0 });
  end = async () => {
    await node.close(0);
    await service.close();
    await database.close();
  };
});
afterAll(() => end());

const headOf = (body: string, type: string): string =>
  [
    'POST /acme/people/statements HTTP/1.1',
    'Host: localhost',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ]
    .map((line) => `${line}\r\n`)
    .join('') + '\r\n';

/** The next answer of a connection, which has no body. */
function answer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (data: Buffer): void => {
      text += data.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      socket.off('data', read);
      resolve(text);
    };
    socket.on('data', read).once('error', reject);
  });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each([
  ['with its head', (socket: Socket, head: string, body: string) => void socket.write(head + body)],
  [
    'after its head',
    async (socket: Socket, head: string, body: string) => {
      socket.write(head);
      for (let turns = 0; turns < 20; turns++) await turn();
      socket.write(body);
    },
  ],
  [
    'in two pieces',
    async (socket: Socket, head: string, body: string) => {
      socket.write(head + body.slice(0, 7));
      for (let turns = 0; turns < 20; turns++) await turn();
      socket.write(body.slice(7));
    },
  ],
])('a body that comes %s, again and again on one connection', async (name, send) => {
  const repository = await database.repository('acme/people');
  const before = await repository.size();
  const socket = connect(node.port, '127.0.0.1');
  socket.setNoDelay(true);
  for (let i = 0; i < 5; i++) {
    const [type, body] =
      i % 2 === 0
        ? ['text/turtle', `<http://example.org/${name.replaceAll(' ', '-')}> <http://example.org/p> ${String(i)} .`]
        : [
            'application/sparql-update',
            `INSERT DATA { <http://example.org/s> <http://example.org/${name.replaceAll(' ', '-')}> ${i} }`,
          ];
    const came = answer(socket);
    await send(socket, headOf(body, type), body);
    const text = await came;
    expect(text).toMatch(/^HTTP\/1\.1 204 /);
    expect(text).not.toMatch(/^Connection: close/im);
  }
  socket.destroy();
  expect((await repository.size()) - before).toBe(5);
});
