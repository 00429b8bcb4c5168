/** Readers that take nothing of an answer, or go away, and clients that never finish their request. */
import { connect, type Socket } from 'node:net';
import type { Target } from './server.js';

const ENDLESS = 'SELECT * { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z }';

const head = (target: Target, length: number): string =>
  `POST ${new URL(target.sparql).pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n` +
  `Content-Type: application/sparql-query\r\nContent-Length: ${String(length)}\r\n\r\n`;

function open({ url }: Target): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => done(socket));
    socket.once('error', fail);
    socket.on('error', () => undefined);
  });
}

const closed = (socket: Socket): Promise<void> => new Promise((done) => socket.once('close', () => done()));

/** Asks for an endless answer and reads nothing of it. Resolves when the server closes the connection, which the last bytes show. */
export async function slowReader(target: Target): Promise<void> {
  const socket = await open(target);
  const gone = closed(socket);
  socket.pause();
  socket.write(head(target, ENDLESS.length) + ENDLESS);
  // A socket that is not read does not notice its end: it is looked at from time to time.
  const timer = setInterval(() => socket.write(' '), 500);
  await gone;
  clearInterval(timer);
}

/** Goes away when the answer begins, or before that. */
export async function vanishingReader(target: Target, afterMs: number): Promise<void> {
  const socket = await open(target);
  socket.write(head(target, ENDLESS.length) + ENDLESS);
  await new Promise((done) => setTimeout(done, afterMs));
  socket.destroy();
}

/** Says that a megabyte comes, and sends a part of it. */
export async function halfRequest(target: Target): Promise<Socket> {
  const socket = await open(target);
  socket.write(head(target, 1_000_000) + 'SELECT');
  return socket;
}
