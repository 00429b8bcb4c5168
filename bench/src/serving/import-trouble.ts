/** Requests of hostile or greedy clients, each for a while, so that other requests can be timed meanwhile. */
import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** Starts the trouble. The returned function ends it. */
export type Trouble = (repository: string) => Promise<() => Promise<void>>;

const SLOW_SOCKETS = 1000;
const IMPORTS = 50;

function connect(url: URL, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(url.port), url.hostname, () => socket.write(text, () => resolve(socket)));
    socket.once('error', reject);
  });
}

const slowSockets: Trouble = async (repository) => {
  const url = new URL(repository);
  const sockets = await Promise.all(
    Array.from({ length: SLOW_SOCKETS }, () =>
      connect(url, `GET ${url.pathname}/size HTTP/1.1\r\nHost: ${url.host}\r\nX-Slow: `),
    ),
  );
  for (const socket of sockets) socket.on('error', () => undefined);
  const drip = setInterval(() => sockets.forEach((socket) => socket.write('a')), 1000);
  return async () => {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  };
};

/** Posts a document repeatedly, with `atOnce` concurrent requests. */
function posting(atOnce: number, headers: Record<string, string>, body: (n: number) => Uint8Array): Trouble {
  return async (repository) => {
    const state = { over: false };
    const stop = new AbortController();
    let n = 0;
    const post = async (): Promise<void> => {
      while (!state.over) {
        const init = { method: 'POST', headers, body: body(n++) as BodyInit, signal: stop.signal };
        await fetch(`${repository}/statements`, init)
          .then((response) => response.arrayBuffer())
          .catch(() => undefined);
        await delay(1);
      }
    };
    const running = Promise.all(Array.from({ length: atOnce }, post));
    return async () => {
      state.over = true;
      stop.abort();
      await running;
    };
  };
}

const statements = (n: number): Uint8Array =>
  Buffer.from(
    Array.from(
      { length: 20_000 },
      (_, i) => `<http://import/${String(n)}/${String(i)}> <http://import/p> "${String(i)}" .\n`,
    ).join(''),
  );
const bomb = gzipSync(Buffer.alloc(200 * 1024 ** 2, 0x20));
// Each scoped context is processed again for each node.
const hostileJson = Buffer.from(
  JSON.stringify({
    '@context': { p: { '@id': 'http://h/p', '@context': { p: { '@id': 'http://h/p', '@type': '@id' } } } },
    '@graph': Array.from({ length: 20_000 }, (_, i) => ({
      '@id': `http://h/${String(i)}`,
      p: [{ p: { p: `x${String(i)}` } }],
    })),
  }),
);
const deepXml = Buffer.from(
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:h="http://h/">${'<h:a><h:b>'.repeat(200_000)}`,
);

export const TROUBLES: Readonly<Record<string, Trouble>> = {
  '1000 slow sockets': slowSockets,
  '50 imports of one account': posting(IMPORTS, { 'Content-Type': 'application/n-triples' }, statements),
  'decompression bombs': posting(
    4,
    { 'Content-Type': 'application/n-triples', 'Content-Encoding': 'gzip' },
    () => bomb,
  ),
  'hostile JSON-LD': posting(4, { 'Content-Type': 'application/ld+json' }, () => hostileJson),
  'deep RDF/XML': posting(4, { 'Content-Type': 'application/rdf+xml' }, () => deepXml),
};
