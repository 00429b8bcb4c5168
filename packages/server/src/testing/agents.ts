/** A server over HTTP for agents, and its clients. It ends with its test. */
import { type Database, open } from 'quadrille';
import { afterEach, expect } from 'vitest';
import { createHandler, type Handler } from '../handler.js';
import { openService, type Service } from '../host/index.js';
import { serveNode } from '../node/node.js';
import { agents } from '../mcp/index.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

export const logged: unknown[] = [];

type Headers = Readonly<Record<string, string>>;
type Json = Record<string, unknown>;

interface Client {
  post(body: unknown, headers?: Headers): Promise<{ status: number; headers: globalThis.Headers; json: Json }>;
  ask(method: string, params?: object, headers?: Headers): Promise<Json>;
  tool(name: string, input?: object): Promise<Json>;
  refused(name: string, input?: object): Promise<string>;
  readonly session: string;
}

export const TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', clientInfo: { name: 'tester' } },
};

export class Served {
  constructor(
    readonly url: string,
    readonly database: Database,
    readonly service: Service,
    readonly handler: Handler,
  ) {}

  async post(body: unknown, headers: Headers = {}): ReturnType<Client['post']> {
    const response = await fetch(`${this.url}/mcp`, {
      method: 'POST',
      headers: { ...TYPE, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === '' ? {} : (JSON.parse(text) as Json) };
  }

  async token(account: string, options: object = {}): Promise<string> {
    return (await this.service.tokens.create(account, options)).text;
  }

  /** A client that has begun a session. */
  async client(token?: string): Promise<Client> {
    const own = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const begun = await this.post(INITIALIZE, own);
    expect(begun.status).toBe(200);
    const session = begun.headers.get('Mcp-Session-Id')!;
    const post: Client['post'] = (body, headers = {}) =>
      this.post(body, { ...own, 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25', ...headers });
    let id = 0;
    const ask: Client['ask'] = async (method, params = {}, headers) =>
      (await post({ jsonrpc: '2.0', id: ++id, method, params }, headers)).json;
    const call = async (name: string, input: object): Promise<Json> =>
      (await ask('tools/call', { name, arguments: input }))['result'] as Json;
    return {
      session,
      post,
      ask,
      tool: async (name, input = {}) => {
        const result = await call(name, input);
        expect(result['isError'], JSON.stringify(result)).toBeUndefined();
        return result['structuredContent'] as Json;
      },
      refused: async (name, input = {}) => {
        const result = await call(name, input);
        expect(result['isError'], JSON.stringify(result)).toBe(true);
        return (result['content'] as { text: string }[])[0]!.text;
      },
    };
  }
}

export async function start(isOpen = false, options: Partial<Parameters<typeof agents>[0]> = {}): Promise<Served> {
  const database = await open(':memory:');
  const service = await openService(database, { open: isOpen });
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (...line: unknown[]) => void logged.push(line),
  };
  const handler = createHandler({
    service,
    logger,
    agents: agents({ tools: ['memory', 'data', 'change'], ...options }),
  });
  const server = await serveNode(handler, { port: 0 });
  closing.push(
    () => database.close(),
    () => service.close(),
    () => server.close(0),
  );
  return new Served(server.url, database, service, handler);
}

/** Two accounts, each with a repository of its own. */
export async function twoAccounts(): Promise<Served> {
  const served = await start();
  for (const account of ['acme', 'jo']) {
    await served.service.accounts.create(account);
    const repository = await served.database.repository(`${account}/people`, { create: true });
    await repository.update(`INSERT DATA { <urn:${account}> <urn:name> "${account}" }`);
  }
  return served;
}
