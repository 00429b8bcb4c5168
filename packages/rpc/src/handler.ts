/** The RPC endpoint as one function from a request to an answer. It knows no socket: a listener or a test calls it. */
import { type Caller, type Service } from '@quadrille/service';
import type { Logger } from 'quadrille';
import { type AllowedOrigins, corsHeaders, PREFLIGHT } from './cors.js';
import { toRpcError } from './failure.js';
import { identify, type IdentifyOptions } from './identify.js';
import { answerJsonRpc, isAlwaysTold, writeJsonRpcError } from './json-rpc/answer.js';
import { type JsonRpcRequest, readJsonRpc } from './json-rpc/read.js';
import { COST_WITHOUT_USER_AGENT, DEFAULT_LIMITS, type RpcLimits } from './limits.js';
import { MethodRegistry } from './methods/registry.js';
import { RPC, RpcError } from './rpc-error.js';
import { CallRunner } from './run-calls.js';
import {
  ALLOW,
  checkBody,
  checkTarget,
  headerOf,
  hostOf,
  mediaTypeOf,
  pathOf,
  type Protocol,
  readBody,
  type RpcHeaders,
  TransportError,
} from './transport.js';
import { readXmlCall, writeXmlFault, writeXmlResponse } from './xml-rpc/index.js';

export interface RpcHandlerOptions extends Partial<IdentifyOptions> {
  readonly service: Service;
  /** The address that the world sees. With it, calls to any other host are refused. */
  readonly publicBase?: string;
  /** Web pages of which origins may call. Default `*`: all, without credentials. */
  readonly cors?: AllowedOrigins;
  /**
   * Whether the HTTP status of a JSON-RPC call tells of its error. Default `tolerant`: most clients lose the error object of an
   * answer that is not 200, so that only what is no call, and missing credentials, have another one. `strict`: every error has.
   */
  readonly httpStatus?: 'tolerant' | 'strict';
  /** Whether XML-RPC writes whole numbers beyond 32 bits as `<i8>`, an extension. Default false: as `<double>`. */
  readonly i8?: boolean;
  readonly limits?: Partial<RpcLimits>;
  /** Gets what failed, and with `accessLog` a line for each request. */
  readonly logger?: Logger;
  readonly accessLog?: boolean;
}

export interface RpcRequest {
  readonly method: string;
  /** The request target: a path, with a query or without, or a whole URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: RpcHeaders;
  /** Read only where the headers are right. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** The IP address of the client. */
  readonly address?: string | undefined;
}

export interface RpcResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

export type RpcHandler = (request: RpcRequest) => Promise<RpcResponse>;

/**
 * The handler of `/rpc` and `/rpc/2012-06-01`.
 * @example
 * const service = await openService(await open('./data'));
 * const handler = createRpcHandler({ service });
 * const { status, body } = await handler({ method: 'POST', path: '/rpc', headers, body: bytes });
 */
export function createRpcHandler(options: RpcHandlerOptions): RpcHandler {
  const endpoint = new Endpoint(options);
  return (request) => endpoint.answer(request);
}

class Endpoint {
  readonly #options: RpcHandlerOptions;
  readonly #limits: RpcLimits;
  readonly #registry = new MethodRegistry();
  readonly #publicHost: string | undefined;

  constructor(options: RpcHandlerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#publicHost = options.publicBase === undefined ? undefined : hostOf(options.publicBase);
  }

  async answer(request: RpcRequest): Promise<RpcResponse> {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    const response = await this.#answer(request, requestId);
    this.#addHeaders(response.headers, request.headers, requestId);
    const { logger, accessLog } = this.#options;
    if (accessLog === true) {
      const durationMs = Math.round((performance.now() - started) * 1000) / 1000;
      const { method, path } = request;
      // The query is left out: it may hold credentials.
      logger?.info('request', { requestId, method, path: pathOf(path), status: response.status, durationMs });
    }
    return response;
  }

  async #answer(request: RpcRequest, requestId: string): Promise<RpcResponse> {
    const media = mediaTypeOf(request.headers);
    try {
      if (request.method === 'OPTIONS') return { status: 200, headers: { Allow: ALLOW, ...PREFLIGHT }, body: '' };
      checkTarget(request.method, request.path, request.headers, this.#publicHost);
      if (media === undefined) {
        throw new TransportError(
          415,
          'Content-Type is application/json for JSON-RPC, text/xml or application/xml for XML-RPC',
        );
      }
      const { jsonBytes, xmlBytes } = this.#limits;
      const length = checkBody(request.headers, media.protocol === 'json' ? jsonBytes : xmlBytes);
      const identified = await this.#identify(request);
      const bytes = await readBody(request.body, length);
      const respond = media.protocol === 'json' ? this.#answerJson : this.#answerXml;
      return await respond.call(this, bytes, identified, request, requestId, media.mediaType);
    } catch (error) {
      const told = toRpcError(error);
      if (told.status >= 500) this.#log(error, requestId);
      return refusal(told, media?.protocol ?? 'json', media?.mediaType);
    }
  }

  /** Who calls, or that nobody can tell. @throws AccessError `RATE_LIMITED` */
  async #identify(request: RpcRequest): Promise<Identified> {
    const { service, queryToken = false, trustProxy = false } = this.#options;
    const { authorization, address } = identify(request, { queryToken, trustProxy });
    const cost = (headerOf(request.headers, 'user-agent') ?? '').trim() === '' ? COST_WITHOUT_USER_AGENT : 1;
    let caller: Caller | RpcError;
    try {
      caller = await service.authenticator.identify(authorization, address);
      service.requests?.count(caller, address, cost);
    } catch (error) {
      caller = toRpcError(error);
      if (caller.rpcCode !== RPC.UNAUTHENTICATED) throw error;
    }
    return { caller, address, cost };
  }

  async #answerJson(
    bytes: Uint8Array,
    identified: Identified,
    request: RpcRequest,
    requestId: string,
    mediaType: string,
  ): Promise<RpcResponse> {
    const parsed = readJsonRpc(bytes, this.#limits);
    if (identified.caller instanceof RpcError) return refusal(identified.caller, 'json', mediaType, soleId(parsed));
    const { body, error } = await answerJsonRpc(
      parsed,
      this.#runner(identified, identified.caller, request, requestId),
    );
    const isTold = error !== undefined && (this.#options.httpStatus === 'strict' || isAlwaysTold(error));
    const headers: Record<string, string> = isTold ? errorHeaders(error) : {};
    if (body !== '') headers['Content-Type'] = `${mediaType}; charset=utf-8`;
    return { status: isTold ? error.status : 200, headers, body };
  }

  async #answerXml(
    bytes: Uint8Array,
    identified: Identified,
    request: RpcRequest,
    requestId: string,
    mediaType: string,
  ): Promise<RpcResponse> {
    let body: Uint8Array;
    try {
      const call = readXmlCall(bytes, this.#limits);
      if (identified.caller instanceof RpcError) throw identified.caller;
      const result = await this.#runner(identified, identified.caller, request, requestId).invoke(call);
      body = writeXmlResponse(result, this.#options);
    } catch (error) {
      body = writeXmlFault(toRpcError(error));
    }
    return { status: 200, headers: { 'Content-Type': `${mediaType}; charset=utf-8` }, body };
  }

  #runner({ address, cost }: Identified, caller: Caller, { headers }: RpcRequest, requestId: string): CallRunner {
    const { service, publicBase } = this.#options;
    return new CallRunner({
      service,
      registry: this.#registry,
      limits: this.#limits,
      caller,
      address,
      cost,
      base: publicBase?.replace(/\/+$/, '') ?? `http://${headerOf(headers, 'host') ?? ''}`,
      onFailure: (error) => this.#log(error, requestId),
    });
  }

  #log(error: unknown, requestId: string): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#options.logger?.error('call failed', { requestId, detail });
  }

  #addHeaders(headers: Record<string, string>, sent: RpcHeaders, requestId: string): void {
    headers['Cache-Control'] = 'no-store';
    headers['X-Content-Type-Options'] = 'nosniff';
    headers['Request-Id'] = requestId;
    const clientId = headerOf(sent, 'client-request-id');
    if (clientId !== undefined && /^[\x21-\x7e]{1,200}$/.test(clientId)) headers['Client-Request-Id'] = clientId;
    corsHeaders(headers, headerOf(sent, 'origin'), this.#options.cors ?? '*');
  }
}

interface Identified {
  readonly caller: Caller | RpcError;
  readonly address: string;
  readonly cost: number;
}

/** Of a call that was refused before it was run. */
const soleId = ({ isBatch, messages }: JsonRpcRequest): string | undefined => (isBatch ? undefined : messages[0]?.id);

/** An answer with the status of the error, in the words of the protocol, which is JSON-RPC where none is known. */
function refusal(error: RpcError, protocol: Protocol, mediaType = 'application/json', id?: string): RpcResponse {
  const body = protocol === 'json' ? writeJsonRpcError(error, id) : writeXmlFault(error);
  return {
    status: error.status,
    headers: { 'Content-Type': `${mediaType}; charset=utf-8`, ...errorHeaders(error) },
    body,
  };
}

/** The realm is the one that existing clients register their token for. */
function errorHeaders(error: RpcError): Record<string, string> {
  if (error.rpcCode === RPC.UNAUTHENTICATED) return { 'WWW-Authenticate': 'Basic realm="Application"' };
  if (error.rpcCode === RPC.RATE_LIMITED) return { 'Retry-After': String(error.data['retryAfter'] ?? 60) };
  return error instanceof TransportError ? { ...error.headers } : {};
}
