/** A server on loopback, over a repository in memory, for the W3C protocol suites; and requests to it as they stand there. */
import { request as httpRequest } from 'node:http';
import { createHandler, serveNode } from '@quadrille/server';
import { open, type Repository } from 'quadrille';
import type { HttpExchange } from './http-manifest.js';

export interface TestServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly repository: Repository;
  close(): Promise<void>;
}

export async function startServer(): Promise<TestServer> {
  const database = await open(':memory:');
  const repository = await database.repository('w3c/suite', { create: true });
  const server = await serveNode(createHandler({ database, open: true }), { port: 0 });
  return {
    url: server.url,
    repository,
    async close() {
      await server.close(100);
      await database.close();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** With exactly these headers: `fetch` would add a type to the body. */
export function send(
  url: string,
  { method, headers, body }: Pick<HttpExchange, 'method' | 'headers' | 'body'>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const outgoing = httpRequest(url, { method, headers: { ...headers, ...length } }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const NAMES: Readonly<Record<string, number>> = { OK: 200, Created: 201, NoContent: 204, NotFound: 404 };

/** Whether a status is one that the manifest names: `Created`, or a class such as `StatusCode2xx`. */
export function meets(status: number, expected: readonly string[]): boolean {
  return expected.some((name) => NAMES[name] === status || name === `StatusCode${String(Math.floor(status / 100))}xx`);
}
