/** The HTTP rules for calls (specification, 4.13). They are checked before the body is read. */
import { LimitError } from '@quadrille/model';
import { RPC, type RpcCode, RpcError } from '../calls/rpc-error.js';
import { API_VERSION } from '../methods/describe-service.js';

/** Names in lower case, as node:http has them. */
export type RpcHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface MediaType {
  readonly name: string;
  readonly protocol: 'json' | 'xml';
}

/** A refusal of the transport; its `status` is that of the answer. */
export class TransportError extends RpcError {
  constructor(
    status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    rpcCode: RpcCode = RPC.INVALID_REQUEST,
  ) {
    super(rpcCode, message, { status });
  }
}

const PROTOCOLS: ReadonlyMap<string, MediaType['protocol']> = new Map([
  ['application/json', 'json'],
  ['application/json-rpc', 'json'],
  ['application/jsonrequest', 'json'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
]);
const ENDPOINTS: ReadonlySet<string> = new Set(['/rpc', `/rpc/${API_VERSION}`]);
export const ALLOW = 'POST, OPTIONS';

export const headerOf = (headers: RpcHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value[0];
};

/** The path of a request target, which may be a whole URL, as proxies send it. */
export function pathOf(target: string): string {
  const origin = target.startsWith('/') ? 0 : (/^https?:\/\/[^/?#]*/i.exec(target)?.[0].length ?? 0);
  const end = target.slice(origin).search(/[?#]/);
  return end === -1 ? target.slice(origin) : target.slice(origin, origin + end);
}

/** Whether a request is for the RPC endpoint. It may still be refused. */
export const isRpcTarget = (target: string): boolean => {
  if (target.startsWith('/') && !target.startsWith('/rpc')) return false;
  return /^\/rpc(?:\/|$)/.test(pathOf(target));
};

/** The media type of the body; `undefined` if it is of neither protocol, or not in UTF-8. */
export function mediaTypeOf(headers: RpcHeaders): MediaType | undefined {
  const [type = '', ...parameters] = (headerOf(headers, 'content-type') ?? '').toLowerCase().split(';');
  const name = type.trim();
  const protocol = PROTOCOLS.get(name);
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(each)?.[1]).find(Boolean);
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
  return protocol === undefined || !isUtf8 ? undefined : { name, protocol };
}

/** @throws TransportError 404, 405, 400 and 421 */
export function checkTarget(method: string, target: string, headers: RpcHeaders, publicHost: string | undefined): void {
  const path = pathOf(target).replace(/\/$/, '');
  if (!ENDPOINTS.has(path)) {
    throw new TransportError(404, `there is nothing here; the endpoint is /rpc/${API_VERSION}`);
  }
  if (method !== 'POST') throw new TransportError(405, `calls are sent by POST, not ${method}`, { Allow: ALLOW });
  const host = headerOf(headers, 'host')?.trim().toLowerCase() ?? '';
  if (host === '') throw new TransportError(400, 'the header Host is missing');
  if (publicHost !== undefined && withoutDefaultPort(host) !== publicHost) {
    throw new TransportError(421, `this server is ${publicHost}`);
  }
}

/** The host of `publicBase`, without a default port. */
export const hostOf = (url: string): string => new URL(url).host;
const withoutDefaultPort = (host: string): string => host.replace(/:(?:80|443)$/, '');

/** The announced length. @throws TransportError 411, 413, 415 */
export function checkLength(headers: RpcHeaders, most: number): number {
  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '')
    throw new TransportError(415, 'a call is sent without Content-Encoding');
  const length = headerOf(headers, 'content-length') ?? '';
  if (headerOf(headers, 'transfer-encoding') !== undefined || !/^\d+$/.test(length)) {
    throw new TransportError(411, 'the header Content-Length is missing', { Connection: 'close' });
  }
  const bytes = Number(length);
  if (bytes > most) throw tooLong(most);
  return bytes;
}

const tooLong = (most: number): TransportError =>
  new TransportError(413, `a call has at most ${String(most)} bytes`, { Connection: 'close' });

/** @throws TransportError 400 where there are more or fewer bytes than were announced */
export async function readBody(body: Uint8Array | AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  if (body instanceof Uint8Array) {
    if (body.length === length) return body;
    throw wrongLength(length);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > length) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof LimitError ? tooSlow(error) : wrongLength(length);
  }
  if (bytes !== length) throw wrongLength(length);
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const tooSlow = (error: LimitError): TransportError => new TransportError(408, error.message, { Connection: 'close' });

const wrongLength = (length: number): TransportError =>
  new TransportError(400, `the body does not have the ${String(length)} bytes that Content-Length announces`, {
    Connection: 'close',
  });
