/** The RPC endpoint as a function from requests to responses. A listener connects it to sockets. */
import {
  type AccessLog,
  type AllowedOrigins,
  basePathOf,
  clientAddress,
  clientRequestId,
  type Fields,
  HttpError,
  originFields,
  refuseForeign,
  roundedMs,
  type SenderOptions,
} from '../http/index.js';
import { ANONYMOUS, type Caller, isKnown, type Service, stoppable } from '../host/index.js';
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
  /** The service to serve. The caller closes it. */
  readonly service: Service;
  /** The public address. With it, requests to any other host are refused. */
  readonly publicBase?: string;
  /** The path below which the server answers, such as `/rdf`. Default: the root. The listener takes it off the paths of requests. */
  readonly basePath?: string;
  /** The origins whose pages may call. Default `*`: all, without credentials. */
  readonly cors?: AllowedOrigins;
  /** Whether requests for another host than this machine or that of `publicBase`, and of pages of other sites, are refused. Default false. */
  readonly localPages?: boolean;
  /**
   * The HTTP status of failed JSON-RPC calls. `strict`: every error has its own. Default `tolerant`: 200 except for malformed calls,
   * credentials and rate limits, because most clients drop the error object of other statuses.
   */
  readonly httpStatus?: 'tolerant' | 'strict';
  /** Whether XML-RPC writes whole numbers beyond 32 bits as `<i8>`, an extension. Default false: as `<double>`. */
  readonly i8?: boolean;
  /** Limits that differ from the default. */
  readonly limits?: Partial<RpcLimits>;
  /** Gets failures, and with `accessLog: true` a line for each request. */
  readonly logger?: Logger;
  /** Gets a line for each request; with `true` the logger gets it. Default false. */
  readonly accessLog?: boolean | AccessLog;
}

export interface RpcRequest {
  /** The method of HTTP, in capitals. */
  readonly method: string;
  /** The request target: a path, with a query or without, or a whole URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: RpcHeaders;
  /** It is read only if the headers are valid. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** The IP address of the client. */
  readonly address?: string | undefined;
  /** Whether it came by https. Default false. */
  readonly secure?: boolean;
  /** Called when it is known whether the request has an account. It may throw: then the request is refused. */
  readonly identified?: ((isKnown: boolean) => void) | undefined;
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

/** The sender of a request, as far as it is known. */
interface Sender {
  caller: Caller;
  address: string;
  /** Gives back the memory of its body. */
  release?: () => void;
}

/** Bytes of a body that have to come each second, once it takes longer than its sender may wait. */
const MIN_RATE = 16 * 1024;
/** Ends with the body. The connection ends a body whose sender has gone. */
const NEVER = new AbortController().signal;

interface Answered {
  readonly request: RpcRequest;
  readonly requestId: string;
  readonly started: number;
  readonly sender: Sender;
}

class Endpoint {
  readonly #options: RpcHandlerOptions;
  readonly #limits: RpcLimits;
  readonly #registry = new MethodRegistry();
  readonly #publicHost: string | undefined;
  readonly #basePath: string;
  readonly #accessLog: AccessLog | undefined;
  readonly #fieldsFor: (origin: string | undefined) => Fields;

  constructor(options: RpcHandlerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#fieldsFor = originFields(options.cors ?? '*', EXPOSED);
    this.#basePath = basePathOf(options.basePath ?? '') ?? '';
    const { accessLog, logger } = options;
    if (typeof accessLog === 'function') this.#accessLog = accessLog;
    else if (accessLog === true && logger !== undefined) this.#accessLog = (line) => logger.info('request', line);
    this.#publicHost = options.publicBase === undefined ? undefined : hostOf(options.publicBase);
  }

  async answer(request: RpcRequest): Promise<RpcResponse> {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    const sender: Sender = { caller: ANONYMOUS, address: '' };
    const response = await this.#answer(request, requestId, sender);
    this.#addHeaders(response.headers, request.headers, requestId);
    if (this.#accessLog !== undefined) this.#write(this.#accessLog, { request, requestId, started, sender }, response);
    return response;
  }

  #write(
    log: AccessLog,
    { request, requestId, started, sender }: Answered,
    { status, headers, body }: RpcResponse,
  ): void {
    const { trustProxy = false } = this.#options;
    const clientId = headers['Client-Request-Id'];
    log({
      time: new Date().toISOString(),
      requestId,
      address: clientAddress(headerOf(request.headers, 'x-forwarded-for'), request.address, { trustProxy }),
      account: sender.caller.account ?? null,
      method: request.method,
      route: '/rpc',
      status,
      bytes: Buffer.byteLength(body),
      durationMs: roundedMs(performance.now() - started),
      // Without the query, which may contain credentials.
      path: pathOf(request.path),
      ...(clientId !== undefined && { clientRequestId: clientId }),
    });
  }

  async #answer(request: RpcRequest, requestId: string, sender: Sender): Promise<RpcResponse> {
    const { method, path, headers, body } = request;
    const mediaType = mediaTypeOf(headers);
    try {
      this.#refuseForeign(request);
      if (method === 'OPTIONS') return { status: 200, headers: { Allow: ALLOW, ...PREFLIGHT }, body: '' };
      checkTarget(method, path, headers, this.#publicHost);
      if (mediaType === undefined) {
        throw new TransportError(415, 'Content-Type is application/json, text/xml or application/xml, in UTF-8');
      }
      const isJson = mediaType.protocol === 'json';
      const length = checkLength(headers, isJson ? this.#limits.jsonBytes : this.#limits.xmlBytes);
      const runner = await this.#runner(request, requestId, sender);
      const bytes = await readBody(this.#inTime(body, length, sender), length);
      return isJson
        ? await answerJsonRpc(bytes, mediaType, runner, this.#limits, this.#options.httpStatus === 'strict')
        : await answerXmlRpc(bytes, mediaType, runner, this.#limits, this.#options);
    } catch (error) {
      const told = toRpcError(error);
      this.#options.service.calls.count(NO_METHOD, String(told.rpcCode), 0);
      if (told.rpcCode === RPC.INTERNAL_ERROR) this.#log(error, requestId);
      return refusal(told, mediaType);
    } finally {
      sender.release?.();
    }
  }

  /** A body has its time, and those of strangers their part of the memory. @throws AccessError `RATE_LIMITED` */
  #inTime(body: RpcRequest['body'], length: number, sender: Sender): RpcRequest['body'] {
    const { limits, strangers } = this.#options.service;
    sender.release = strangers.hold(sender.caller, sender.address, length);
    if (body instanceof Uint8Array) return body;
    return stoppable(body, NEVER, { idleMs: limits.bodyIdleMs, minRate: MIN_RATE, what: 'call' });
  }

  /** For the caller that the credentials name; an error where they are wrong. Counts the request. @throws AccessError `RATE_LIMITED` */
  async #runner(request: RpcRequest, requestId: string, sender: Sender): Promise<CallRunner | RpcError> {
    const { service, queryToken = false, trustProxy = false } = this.#options;
    const { credentials, address } = identify(request, { queryToken, trustProxy });
    sender.address = address;
    const known = service.authenticator.identify(credentials, address);
    const caller = known instanceof Promise ? await known.catch(wrongCredentials) : known;
    request.identified?.(!(caller instanceof RpcError) && isKnown(caller));
    if (caller instanceof RpcError) {
      service.calls.count(NO_METHOD, String(caller.rpcCode), 0);
      return caller;
    }
    sender.caller = caller;
    const cost = headerOf(request.headers, 'user-agent')?.trim() ? 1 : COST_WITHOUT_USER_AGENT;
    service.requests?.count(caller, address, cost);
    return new CallRunner({
      service,
      registry: this.#registry,
      limits: this.#limits,
      caller,
      address,
      cost,
      base: this.#baseOf(request),
      onFailure: (error) => this.#log(error, requestId),
    });
  }

  /** @throws TransportError 421; AccessError `FOREIGN_ORIGIN` */
  #refuseForeign(request: RpcRequest): void {
    const { publicBase, cors, service, localPages } = this.#options;
    const rules = { publicBase, cors, localPages, rightsBy: service.open ? 'nothing' : 'tokens' } as const;
    const header = (name: string): string | undefined => headerOf(request.headers, name.toLowerCase());
    try {
      refuseForeign({ method: request.method, address: addressOf(request), header }, rules);
    } catch (error) {
      throw error instanceof HttpError ? new TransportError(error.status, error.message) : error;
    }
  }

  #baseOf(request: RpcRequest): string {
    const { publicBase } = this.#options;
    if (publicBase !== undefined) return publicBase.replace(/\/+$/, '');
    return addressOf(request) + this.#basePath;
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

/** The address of the server, as the request names it. */
const addressOf = ({ headers, secure }: RpcRequest): string =>
  `${secure === true ? 'https' : 'http'}://${headerOf(headers, 'host') ?? ''}`;

/** Returned and not thrown, because the answer needs the id of the call, which is not read yet. */
function wrongCredentials(error: unknown): RpcError {
  const told = toRpcError(error);
  if (told.rpcCode === RPC.UNAUTHENTICATED) return told;
  throw error;
}
