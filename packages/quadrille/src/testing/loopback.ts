/** Hosts on the loopback for tests: an HTTP server, and one that answers SPARQL from a repository. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Repository } from '../index.js';
import { hostOf } from '../host/index.js';

export interface Host {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** With a slash at the end. */
  readonly url: string;
  /** What was asked: paths with the bodies that came. */
  readonly requests: { readonly path: string; readonly body: string }[];
}

export type Answer = (path: string, body: string, response: Parameters<RequestListener>[1]) => unknown;

export async function host(answer: Answer): Promise<Host> {
  const requests: { path: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', body });
      answer(request.url ?? '', body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host: name, url: `http://${name}/`, requests };
}

/** A SPARQL endpoint over a repository. */
export const endpointOf = (repository: Repository): Promise<Host> =>
  host(async (_, query, response) => {
    const type = 'application/sparql-results+json';
    try {
      const document = (await hostOf(repository).serialize(query, type).toArray()).join('');
      response.writeHead(200, { 'Content-Type': type }).end(document);
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
