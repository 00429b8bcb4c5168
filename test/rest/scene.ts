/** A bundled server for the rows of one part of the interface, and curl with what all of them send. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, curl, hasCurl, quadrille, serve, type Served, stopStores } from './curl.js';

export interface Sent {
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whose token; `null`: none. Default the owner's. */
  readonly token?: string | null;
  /** More for curl. */
  readonly args?: readonly string[];
}

export interface Scene {
  readonly url: string;
  /** Of the server, without a slash. */
  readonly account: string;
  readonly token: string;
  /** Its directory. */
  readonly store: string;
  /** A token of another account, which is made where the scene asks for it. */
  readonly otherToken: string;
  /** `/default/people`, an address without the server. */
  readonly repository: string;
  /** Serves documents to imports. */
  readonly host: string;
  /** What was sent to the host: `METHOD path`, with the body. */
  readonly received: {
    readonly request: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string;
  }[];
  /** A path of the server, or a whole address. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  get(path: string, accept?: string, sent?: Sent): Promise<Answer>;
  /** What the repository holds then, as N-Quads of this text. */
  fill(nquads: string): Promise<Answer>;
  /** The statements, sorted. */
  lines(parameters?: string): Promise<string[]>;
}

/** As the first option: there is an account `other` too. */
export const WITH_OTHER = 'with other';

async function twoAccounts(store: string): Promise<[string, string]> {
  const tokenOf = async (account: string): Promise<string> => {
    await quadrille('account', 'add', store, account);
    return (await quadrille('token', 'add', store, account)).trim();
  };
  return [await tokenOf('default'), await tokenOf('other')];
}

/** Starts the server before the rows, and a host for documents that answers as `listener` says. */
export function scene(listener: RequestListener = (_, response) => void response.end(), ...given: string[]): Scene {
  const withOther = given[0] === WITH_OTHER;
  const options = withOther ? given.slice(1) : given;
  let served: Served;
  let host: Server;
  let directory: string;
  let token: string;
  let otherToken = '';
  const received: { request: string; headers: Readonly<Record<string, unknown>>; body: string }[] = [];
  const found: Scene = {
    get url() {
      return served.url;
    },
    get account() {
      return served.account;
    },
    get token() {
      return token;
    },
    get store() {
      return join(directory, 'store');
    },
    get otherToken() {
      return otherToken;
    },
    repository: '/default/people',
    get host() {
      return `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
    },
    received,
    send(method, path, { type, accept, headers = {}, body, token: shown = token, args = [] } = {}) {
      const all: Record<string, string> = { ...headers };
      if (accept !== undefined) all['Accept'] = accept;
      if (type !== undefined) all['Content-Type'] = type;
      return curl(
        ...(method === 'HEAD' ? ['-I'] : ['-X', method]),
        ...(shown === null ? [] : ['-u', `${shown}:`]),
        ...Object.entries(all).flatMap(([name, value]) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]),
        ...(body === undefined ? [] : ['--data-raw', body, ...(type === undefined ? ['-H', 'Content-Type:'] : [])]),
        ...args,
        path.startsWith('http') ? path : served.url + path,
      );
    },
    get: (path, accept, sent = {}) => found.send('GET', path, { ...sent, ...(accept === undefined ? {} : { accept }) }),
    fill: (nquads) =>
      found.send('PUT', `${found.repository}/statements`, { type: 'application/n-quads', body: nquads }),
    async lines(parameters = '') {
      const { body } = await found.get(`${found.repository}/statements${parameters}`, 'application/n-quads');
      return body
        .split('\n')
        .filter((line) => line !== '')
        .sort();
    },
  };
  beforeAll(async () => {
    if (!hasCurl) return console.log('curl is not installed: no row of the interface is tried');
    directory = await mkdtemp(join(tmpdir(), 'quadrille-interface-'));
    host = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        received.push({ request: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, body });
        void listener(request, response);
      });
    });
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
    const address = found.host.slice('http://'.length);
    if (withOther) [token, otherToken] = await twoAccounts(join(directory, 'store'));
    served = await serve(
      join(directory, 'store'),
      '--no-rate-limit',
      '--allow',
      address,
      '--callback',
      address,
      ...options,
    );
    token = served.token ?? token;
    const form = 'application/x-www-form-urlencoded';
    await found.send('POST', '/default/repositories', { type: form, body: 'repository[name]=people' });
  });
  afterAll(async () => {
    if (!hasCurl) return;
    served.child.kill('SIGTERM');
    await new Promise((done) => served.child.once('close', done));
    host.closeAllConnections();
    host.close();
    await stopStores();
    await rm(directory, { recursive: true, force: true });
  });
  return found;
}

/** A row of a table: prints its line when what it says holds. */
export function row(name: string, run: () => Promise<void>): void {
  test.skipIf(!hasCurl)(name, { timeout: 30_000 }, async () => {
    await run();
    console.log(`ok  ${name}`);
  });
}

export const FORM = 'application/x-www-form-urlencoded';
export const TURTLE = 'text/turtle';
export const NT = 'text/plain';
export const typeOf = (answer: Answer): string | undefined => answer.headers.get('content-type');
export const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;
// oxlint-disable-next-line typescript/no-explicit-any -- whatever the row expects of it
export const jsonOf = async (answer: Promise<Answer>): Promise<any> => {
  const { status: found, body } = await answer;
  expect(found, body).toBe(200);
  return JSON.parse(body);
};
export const etagOf = (answer: Answer): string => /^"([0-9a-f-]{36})/.exec(answer.headers.get('etag') ?? '')?.[1] ?? '';
export const query = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();
