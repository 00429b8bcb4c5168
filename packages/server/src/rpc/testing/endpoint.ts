/** An endpoint over a store in memory with the accounts `acme` and `other`, and ways to call it, for tests. */
import { type Database, open } from 'quadrille';
import { type FetchedDocument, openService, type Service, type ServiceOptions } from '../../host/index.js';
import { onTestFinished } from 'vitest';
import { createRpcHandler, type RpcHandler, type RpcHandlerOptions } from '../handler.js';
import type { RpcResponse } from '../http/response.js';

export const DOCUMENT = '<urn:a> <urn:p> "1" . <urn:b> <urn:p> "2" .';

/** Whatever JSON there is. */
export type Json = ReturnType<typeof JSON.parse>;

export interface TestEndpoint {
  readonly database: Database;
  readonly service: Service;
  readonly handler: RpcHandler;
  /** Tokens by account. */
  readonly tokens: Readonly<Record<'acme' | 'other' | 'reader', string>>;
  /** Sends a body; headers beside the necessary ones, `undefined` leaves one out. */
  readonly post: (body: string | Uint8Array, headers?: Headers, path?: string) => Promise<RpcResponse>;
  /** The JSON that a call in JSON-RPC gets, with the token of acme. */
  readonly call: (method: string, params?: unknown, headers?: Headers) => Promise<Json>;
}

export type Headers = Readonly<Record<string, string | undefined>>;

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
export const basic = (pair: string): Headers => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
export const textOf = ({ body }: RpcResponse): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);
export const jsonOf = (response: RpcResponse): Json => JSON.parse(textOf(response));
export const request = (method: string, params?: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export async function testEndpoint(
  options: Omit<RpcHandlerOptions, 'service'> & { readonly serviceOptions?: ServiceOptions } = {},
): Promise<TestEndpoint> {
  const { serviceOptions, ...handlerOptions } = options;
  const database = await open(':memory:');
  const service = await openService(database, { fetch: fetchDocument, ...serviceOptions });
  onTestFinished(async () => {
    await service.close();
    await database.close();
  });
  for (const name of ['acme', 'other']) await service.accounts.create(name);
  const acme = (await service.tokens.create('acme')).text;
  const reader = (await service.tokens.create('acme', { readOnly: true })).text;
  const other = (await service.tokens.create('other')).text;
  const handler = createRpcHandler({ service, ...handlerOptions });
  const post: TestEndpoint['post'] = (body, headers = {}, path = '/rpc/2012-06-01') => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return handler({
      method: 'POST',
      path,
      headers: {
        host: 'rpc.example',
        'user-agent': 'test/1.0.0',
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        ...headers,
      },
      body: bytes,
      address: '192.0.2.1',
    });
  };
  return {
    database,
    service,
    handler,
    tokens: { acme, other, reader },
    post,
    call: async (method, params, headers = bearer(acme)) => jsonOf(await post(request(method, params), headers)),
  };
}

/** Another host: `/people.ttl` is {@link DOCUMENT}, `/slow.ttl` never ends, everything else is not there. */
async function fetchDocument({
  url,
  signal,
}: {
  url: string;
  signal?: AbortSignal | undefined;
}): Promise<FetchedDocument> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(DOCUMENT);
    if (url.endsWith('/slow.ttl')) {
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    }
  }
  const status = /\/(?:people|slow)\.ttl$/.test(url) ? 200 : 404;
  return { url, status, headers: { 'content-type': 'text/turtle' }, body: body(), close: () => undefined };
}
