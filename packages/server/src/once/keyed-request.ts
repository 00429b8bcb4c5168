/**
 * `Idempotency-Key`: a write with such a key is done once. A repeat gets the first answer, on any server of the store, also
 * after a restart. The header is that of the IETF's draft.
 */
import { badRequest, HttpError } from '../http/index.js';
import { NotFoundError } from '@quadrille/model';
import { type KeptAnswer, type KeptRequest, type KeptRequests, platform, type RequestPlace } from '../host/index.js';
import type { Revision } from 'quadrille';
import type { RecordChange } from 'quadrille/host';
import type { Context } from '../context.js';
import { timedBody } from '../message/body.js';
import { entityTag } from '../message/conditional.js';
import { Reply } from '../message/reply.js';
import { ChangedRequest, type HttpRequest, type RequestHeaders } from '../message/request.js';
import { answerMode } from '../resources/statements/import-reply.js';
import { type Method, openRoot, repositoryName, type Route, type Service } from '../service.js';

/** Set by a server that forwards a request: a key of its own, so that it can send the request again. */
export const HOP_KEY = 'Quadrille-Forwarded';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Headers that decide what a write does. */
const MEANING = [
  'Content-Type',
  'Content-Encoding',
  'Branch',
  'ETag',
  'If-Match',
  'If-None-Match',
  'Location',
  'Revision-Message',
] as const;
/** Headers of the answer that a repeat has, too. */
const REPEATED = ['ETag', 'Location', 'Content-Type'] as const;
/** Longest body of an answer that a repeat has, too, in characters; and longest header. */
const MOST_BODY = 1024;
const MOST_HEADER = 2048;

/**
 * The key of a request; `undefined` if it has none. It may stand in quotes, as the draft has it.
 * @throws HttpError 400 for one that is empty, too long, or has other characters
 */
export function idempotencyKey(headers: RequestHeaders): string | undefined {
  const text = headers.get('Idempotency-Key');
  if (text === null) return undefined;
  const key = text.trim().replace(/^"(.*)"$/, '$1');
  if (KEY.test(key)) return key;
  throw badRequest('Idempotency-Key is 1 to 255 visible characters of ASCII without spaces, such as a UUID');
}

/** Whether a request is answered before its commit. */
export const isAsynchronous = ({ headers }: Pick<HttpRequest, 'headers'>): boolean =>
  answerMode(headers) !== 'execute' || headers.get('Upload-Complete')?.trim() === '?0';

/** Longest beginning of a body that is compared. What follows is told apart by its length alone, so that a repeat is answered before it is read. */
const COMPARED_BYTES = 1024 ** 2;

/** The body of a request, of whose beginning it makes a digest while somebody reads it. */
class DigestedBody implements AsyncIterable<Uint8Array> {
  readonly #digest = platform.newSha256();
  #value: string | undefined;
  #length = 0;

  constructor(private readonly body: HttpRequest['body']) {
    if (body === null) this.#end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.body ?? []) {
      const room = COMPARED_BYTES - this.#length;
      if (room > 0) this.#digest.update(chunk.subarray(0, room));
      this.#length += chunk.length;
      yield chunk;
    }
    this.#end();
  }

  #end(): void {
    this.#value ??= textOf(this.#digest.digest());
  }

  /** `undefined` while it is not read to its end. */
  get value(): Pick<KeptRequest, 'body' | 'length'> | undefined {
    return this.#value === undefined ? undefined : { body: this.#value, length: this.#length };
  }
}

/** Half of a digest is enough to tell two requests of one client apart. */
const textOf = (digest: Uint8Array): string => platform.toBase64Url(digest.subarray(0, 16));

type Once = Pick<Route, 'once' | 'methods'>;

/** Whether a server may send the request again that it has forwarded, with the same {@link HOP_KEY}. */
export const isRepeatable = (
  request: Pick<HttpRequest, 'method' | 'headers'>,
  { once }: Pick<Route, 'once'>,
  parameters: URLSearchParams,
): boolean => request.method !== 'GET' && once?.(request.method, parameters) === true && !isAsynchronous(request);

/** A request with a key. The handlers get its {@link request}. */
export class KeyedRequest {
  /** The same request. The body of one with a key of its client is digested while it is read. */
  readonly request: HttpRequest;
  /** Another server chooses a new key for each request, so there is nothing to compare. */
  readonly #body: DigestedBody | undefined;
  readonly #head: string;
  #kept: KeptRequests | undefined;
  #place: RequestPlace | undefined;
  #staged: Revision | undefined;
  #commits = false;

  private constructor(
    request: HttpRequest,
    private readonly key: string,
    /** Whether the client has chosen the key. */
    readonly isOfClient: boolean,
  ) {
    this.#body = isOfClient ? new DigestedBody(request.body) : undefined;
    this.request =
      this.#body === undefined || request.body === null
        ? request
        : new ChangedRequest(request, request.method, this.#body);
    this.#head = isOfClient ? headOf(request) : '';
  }

  /**
   * The request, if it has a key.
   * @throws HttpError 400 for a malformed key, and for one of a POST or a PATCH that cannot be done once
   */
  static of(request: HttpRequest, { once, methods }: Once, parameters: URLSearchParams): KeyedRequest | undefined {
    const { headers, method } = request;
    if (method === 'GET') return undefined;
    const key = idempotencyKey(headers);
    if (once?.(method, parameters) !== true) {
      // PUT and DELETE can be repeated anyway, and a query changes nothing.
      if (key === undefined || method === 'PUT' || method === 'DELETE' || methods[method as Method]?.access === 'read')
        return undefined;
      throw badRequest('Idempotency-Key is for commits, and this request makes none: leave it out');
    }
    if (key !== undefined) return new KeyedRequest(request, key, true);
    const hop = headers.get(HOP_KEY) ?? '';
    return KEY.test(hop) ? new KeyedRequest(request, hop, false) : undefined;
  }

  /**
   * Answers the request: by `handle`, or as it was answered before.
   * @throws HttpError `IDEMPOTENCY_KEY_REUSED` if the key is that of another request; 400 for a request that is answered before its
   * commit
   */
  async answer(service: Service, context: Context, handle: () => Promise<Reply>): Promise<Reply> {
    if (isAsynchronous(this.request)) {
      if (!this.isOfClient) return handle();
      throw badRequest('Idempotency-Key is for requests whose answer waits for the commit: leave it out here');
    }
    const kept = service.hosted.keptRequests;
    const key = this.isOfClient ? this.key : `hop ${this.key}`;
    const own = { account: context.principal, repository: repositoryName(context), key };
    this.#kept = kept;
    this.#place = own;
    return kept.alone(own, async () => {
      const before = await kept.find(own);
      if (before !== undefined && (await isThere(service, context, before.answer.revision))) {
        if (!(await this.#isSame(before))) throw reused();
        return repeated(before.answer, this.isOfClient);
      }
      context.keyed = this;
      const reply = await handle();
      await this.#keep(reply);
      return reply;
    });
  }

  /** Reads no more of the body than its part that is compared. */
  async #isSame({ head, body, length = 0 }: KeptRequest): Promise<boolean> {
    if (head !== this.#head || body === undefined || this.#body === undefined) return head === this.#head;
    const announced = this.request.headers.get('Content-Length');
    if (announced !== null && Number(announced) !== length) return false;
    const digest = platform.newSha256();
    let compared = 0;
    for await (const chunk of timedBody(this.request) ?? []) {
      if (compared < COMPARED_BYTES) digest.update(chunk.subarray(0, COMPARED_BYTES - compared));
      compared += chunk.length;
      if (compared > COMPARED_BYTES) break;
    }
    const isAsLong = length > COMPARED_BYTES ? compared > COMPARED_BYTES : compared === length;
    return isAsLong && textOf(digest.digest()) === body;
  }

  /** To be called by every handler that commits. The result belongs to the options of the commit. */
  commits(): { records: (revision: Revision) => readonly RecordChange[] } {
    this.#commits = true;
    return {
      records: (revision) => {
        this.#staged = revision;
        return this.#kept!.changes(this.#place!, this.#request(usual(revision)));
      },
    };
  }

  /** Keeps a request that has made no revision, or whose answer is not the usual one. */
  async #keep(reply: Reply): Promise<void> {
    if (!this.#commits || reply.status < 200 || reply.status > 299) return;
    if (this.#staged !== undefined && isUsual(reply, this.#staged)) return;
    const answer = answerOf(reply);
    if (answer === undefined) return;
    await this.#kept!.put(this.#place!, this.#request(answer));
  }

  #request(answer: KeptAnswer): KeptRequest {
    return { head: this.#head, ...this.#body?.value, answer };
  }
}

/** Whether the store has a revision: it may have been set back since. */
async function isThere(service: Service, context: Context, revision: string): Promise<boolean> {
  try {
    await (await openRoot(service, context)).at(revision).revision();
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return error.code === 'REVISION_TRIMMED';
    throw error;
  }
}

/** The digest of everything but the body and the credentials. */
function headOf({ method, url, headers }: HttpRequest): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete('auth_token');
  const parts = [method, pathname, searchParams.toString(), ...MEANING.map((name) => headers.get(name) ?? '')];
  return textOf(platform.sha256(JSON.stringify(parts)));
}

/** The answer to most commits. */
const usual = (revision: Revision): KeptAnswer => ({
  status: 204,
  revision: revision.id,
  headers: { ETag: entityTag(revision) },
});

const isUsual = ({ status, headers, body }: Reply, revision: Revision): boolean =>
  status === 204 &&
  body === null &&
  headers.get('ETag') === entityTag(revision) &&
  REPEATED.every((name) => name === 'ETag' || !headers.has(name));

/** `undefined` for an answer that names no revision. */
function answerOf({ status, headers, body }: Reply): KeptAnswer | undefined {
  const revision = /^"([0-9a-f-]{36})/.exec(headers.get('ETag') ?? '')?.[1];
  if (revision === undefined) return undefined;
  const text = typeof body === 'string' && body.length <= MOST_BODY ? body : undefined;
  const repeatedHeaders = REPEATED.map((name) => [name, headers.get(name)] as const).filter(
    ([name, value]) => value !== null && value.length <= MOST_HEADER && (name !== 'Content-Type' || text !== undefined),
  );
  const answer = { status, revision, headers: Object.fromEntries(repeatedHeaders) as Record<string, string> };
  return text === undefined ? answer : { ...answer, body: text };
}

/** A client that has sent no key is not told of one. */
const repeated = ({ status, headers, body }: KeptAnswer, isOfClient: boolean): Reply =>
  new Reply(body ?? null, { status, headers: { ...headers, ...(isOfClient && { 'Idempotency-Replayed': 'true' }) } });

const reused = (): HttpError =>
  new HttpError(
    'IDEMPOTENCY_KEY_REUSED',
    'another request was done with this Idempotency-Key: repeat a request with the same bytes, or take a new key',
  );
