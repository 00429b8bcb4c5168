/** The RPC endpoint as a function from requests to responses. A listener connects it to sockets. */
import { type AllowedOrigins, clientRequestId, type Fields, originFields, type SenderOptions } from '@quadrille/http';
import type { Service } from '@quadrille/service';
import type { Logger } from 'quadrille';
import { EXPOSED, PREFLIGHT } from './http/cors.js';
import { toRpcError } from './calls/failure.js';
import { identify } from './http/identify.js';
import { answerJsonRpc } from './json-rpc/answer.js';
import { COST_WITHOUT_USER_AGENT, DEFAULT_LIMITS, type RpcLimits } from './calls/limits.js';
import { MethodRegistry } from './methods/registry.js';
import { refusal, type RpcResponse } from './http/response.js';
import { RPC, RpcError } from './calls/rpc-error.js';
import { CallRunner, NO_METHOD } from './calls/run-calls.js';
import {
  ALLOW,
  checkLength,
  checkTarget,
  headerOf,
  hostOf,
  mediaTypeOf,
  pathOf,
  readBody,
  type RpcHeaders,
  TransportError,
} from './http/transport.js';
import { answerXmlRpc } from './xml-rpc/answer.js';

export interface RpcHandlerOptions extends Partial<SenderOptions> {
  readonly service: Service;
  /** The public address. With it, requests to any other host are refused. */
  readonly publicBase?: string;
  /** The origins whose pages may call. Default `*`: all, without credentials. */
  readonly cors?: AllowedOrigins;
  /**
   * The HTTP status of failed JSON-RPC calls. `strict`: every error has its own. Default `tolerant`: 200 except for malformed calls,
   * credentials and rate limits, because most clients drop the error object of other statuses.
   */
  readonly httpStatus?: 'tolerant' | 'strict';
  /** Whether XML-RPC writes whole numbers beyond 32 bits as `<i8>`, an extension. Default false: as `<double>`. */
  readonly i8?: boolean;
  readonly limits?: Partial<RpcLimits>;
  /** Gets failures, and with `accessLog` a line for each request. */
  readonly logger?: Logger;
  readonly accessLog?: boolean;
}

export interface RpcRequest {
  readonly method: string;
  /** The request target: a path, with a query or without, or a whole URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: RpcHeaders;
  /** It is read only if the headers are valid. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** The IP address of the client. */
  readonly address?: string | undefined;
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
  readonly #fieldsFor: (origin: string | undefined) => Fields;

  constructor(options: RpcHandlerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#fieldsFor = originFields(options.cors ?? '*', EXPOSED);
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
      // Without the query, which may contain credentials.
      logger?.info('request', {
        requestId,
        method,
        path: pathOf(path),
        route: '/rpc',
        status: response.status,
        durationMs,
      });
    }
    return response;
  }

  async #answer(request: RpcRequest, requestId: string): Promise<RpcResponse> {
    const { method, path, headers, body } = request;
    const mediaType = mediaTypeOf(headers);
    try {
      if (method === 'OPTIONS') return { status: 200, headers: { Allow: ALLOW, ...PREFLIGHT }, body: '' };
      checkTarget(method, path, headers, this.#publicHost);
      if (mediaType === undefined) {
        throw new TransportError(415, 'Content-Type is application/json, text/xml or application/xml, in UTF-8');
      }
      const isJson = mediaType.protocol === 'json';
      const length = checkLength(headers, isJson ? this.#limits.jsonBytes : this.#limits.xmlBytes);
      const runner = await this.#runner(request, requestId);
      const bytes = await readBody(body, length);
      return isJson
        ? await answerJsonRpc(bytes, mediaType, runner, this.#limits, this.#options.httpStatus === 'strict')
        : await answerXmlRpc(bytes, mediaType, runner, this.#limits, this.#options);
    } catch (error) {
      const told = toRpcError(error);
      this.#options.service.calls.count(NO_METHOD, String(told.rpcCode), 0);
      if (told.rpcCode === RPC.INTERNAL_ERROR) this.#log(error, requestId);
      return refusal(told, mediaType);
    }
  }

  /** For the caller that the credentials name; an error where they are wrong. Counts the request. @throws AccessError `RATE_LIMITED` */
  async #runner(request: RpcRequest, requestId: string): Promise<CallRunner | RpcError> {
    const { service, publicBase, queryToken = false, trustProxy = false } = this.#options;
    const { credentials, address } = identify(request, { queryToken, trustProxy });
    const caller = await service.authenticator.identify(credentials, address).catch(wrongCredentials);
    if (caller instanceof RpcError) {
      service.calls.count(NO_METHOD, String(caller.rpcCode), 0);
      return caller;
    }
    const cost = headerOf(request.headers, 'user-agent')?.trim() ? 1 : COST_WITHOUT_USER_AGENT;
    service.requests?.count(caller, address, cost);
    return new CallRunner({
      service,
      registry: this.#registry,
      limits: this.#limits,
      caller,
      address,
      cost,
      base: publicBase?.replace(/\/+$/, '') ?? `http://${headerOf(request.headers, 'host') ?? ''}`,
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
    const clientId = clientRequestId(headerOf(sent, 'client-request-id'));
    if (clientId !== undefined) headers['Client-Request-Id'] = clientId;
    for (const [name, value] of this.#fieldsFor(headerOf(sent, 'origin'))) headers[name] = value;
  }
}

/** Returned and not thrown, because the answer needs the id of the call, which is not read yet. */
function wrongCredentials(error: unknown): RpcError {
  const told = toRpcError(error);
  if (told.rpcCode === RPC.UNAUTHENTICATED) return told;
  throw error;
}
