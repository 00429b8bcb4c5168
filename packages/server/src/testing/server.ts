/** A handler over a store in memory, for tests. */
import { openService, type ServiceLimits } from '../host/index.js';
import { type Database, open } from 'quadrille';
import { createHandler, type Handler } from '../handler.js';

export const BASE = 'http://localhost:1';
export const TURTLE = { 'Content-Type': 'text/turtle' };

/** For requests whose texts name no other repository. */
export const NO_OTHERS = (name: string): Promise<never> => Promise.reject(new Error(`${name} is not opened here`));

export interface TestServer {
  readonly database: Database;
  readonly handler: Handler;
  /** Sends a request; `path` stands after the origin. */
  readonly send: (method: string, path: string, init?: RequestInit) => Promise<Response>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
}

export async function testServer(
  limits: Partial<ServiceLimits> = {},
  options: { readonly lenientProtocol?: boolean } = {},
): Promise<TestServer> {
  const database = await open(':memory:');
  await database.repository('acme/people', { create: true });
  const handler = createHandler({ ...options, service: await openService(database, { open: true, limits }) });
  const send = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(BASE + path, { ...init, method }));
  return { database, handler, send, get: (path, headers = {}) => send('GET', path, { headers }) };
}

export const query = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

export const sortedLines = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();
