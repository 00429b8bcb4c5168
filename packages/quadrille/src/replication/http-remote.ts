/** Another copy at a server. */
import {
  AccessError,
  ConflictError,
  EvaluationError,
  FetchError,
  InvalidArgumentError,
  NotFoundError,
  StorageError,
} from '@quadrille/model';
import type { ReplicationOptions } from '../api/index.js';
import { httpAddress, shownAddress } from '../options/http-address.js';
import type { RemoteHistory, Standing } from './remote-history.js';

const RDF_PATCH = 'application/rdf-patch';
const JSON_TYPE = 'application/json';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** @throws InvalidArgumentError `INVALID_OPTION` if it is no address of a repository */
export function checkedAddress(text: string): string {
  const address = httpAddress(text, ': give them as the option token');
  if ('href' in address) return address.href;
  throw new InvalidArgumentError('INVALID_OPTION', `the remote ${shownAddress(text)} ${address.problem}`);
}

/**
 * The branch of the same name at a server, whichever is the default there.
 * @param url a checked address
 */
export function httpRemote(url: string, branch: string, { token, signal }: ReplicationOptions): RemoteHistory {
  const ask = (path: string, init: RequestInit & { duplex?: 'half' }): Promise<Response> =>
    answered(url, `${url}/changes${path}${path.includes('?') ? '&' : '?'}branch=${encodeURIComponent(branch)}`, {
      ...init,
      headers: { ...init.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      // The token is for the server that was named.
      redirect: 'manual',
      ...(signal && { signal }),
    });
  const read = async (which: string): Promise<AsyncIterable<Uint8Array>> => {
    const response = await ask(`?history=1${which}`, { headers: { Accept: RDF_PATCH } });
    return chunksOf(url, response.body!, signal);
  };
  return {
    name: url,
    async standing(have) {
      const headers = { 'Content-Type': JSON_TYPE, Accept: JSON_TYPE };
      const response = await ask('/common', { method: 'POST', headers, body: JSON.stringify({ have }) });
      return standingOf(url, (await response.json().catch(() => undefined)) as unknown);
    },
    read: (after) => read(after === undefined ? '' : `&since=${after}`),
    readAll: () => read('&branches=all'),
    async write(pieces) {
      const headers = { 'Content-Type': RDF_PATCH, Accept: JSON_TYPE };
      const init = await bodyOf(pieces);
      const response = await ask('?history=1', { method: 'POST', headers, ...init });
      const report = (await response.json().catch(() => ({}))) as { imported?: unknown };
      return typeof report.imported === 'number' ? report.imported : 0;
    },
  };
}

/** Node.js sends a stream. Browsers only do that over HTTP/2, so they send a Blob. */
async function bodyOf(pieces: AsyncIterable<string>): Promise<RequestInit & { duplex?: 'half' }> {
  const utf8 = new TextEncoder();
  if (globalThis.process?.versions?.node === undefined) {
    const parts: string[] = [];
    for await (const piece of pieces) parts.push(piece);
    return { body: new Blob(parts) };
  }
  const iterator = pieces[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
    cancel: async () => void (await iterator.return?.()),
  });
  return { body, duplex: 'half' };
}

async function answered(name: string, address: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (cause) {
    throw failed(name, cause, init.signal ?? undefined);
  }
  if (response.ok) return response;
  // A page is not told where it leads.
  if (response.type === 'opaqueredirect') throw new FetchError('FETCH_FAILED', `${name} redirects to another address`);
  const told = (await response.json().catch(() => ({}))) as { error?: unknown; code?: unknown };
  throw refusal(name, response.status, String(told.code ?? ''), String(told.error ?? ''));
}

/** The error of the server, as the class that the same call in this process throws. */
function refusal(name: string, status: number, code: string, said: string): Error {
  const message = `${name} answers ${String(status)}${said === '' ? '' : `: ${said.slice(0, 500)}`}`;
  if (code === 'HISTORY_DIVERGED') return new ConflictError(code, message);
  if (code === 'STORAGE_FULL') return new StorageError(code, message);
  if (status === 401) return new AccessError('UNAUTHENTICATED', message);
  if (status === 403) return new AccessError('FORBIDDEN', message);
  if (code === 'REPOSITORY_MOVED') return new NotFoundError(code, message);
  if (code === 'BRANCH_NOT_FOUND') return new NotFoundError(code, message);
  if (status === 404) return new NotFoundError('REPOSITORY_NOT_FOUND', message);
  return new FetchError('FETCH_FAILED', message, { details: { status, code } });
}

function failed(name: string, cause: unknown, signal: AbortSignal | undefined): Error {
  if (signal?.aborted === true) return new EvaluationError('ABORTED', 'the caller aborted the call', { cause });
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new FetchError('FETCH_FAILED', `${name} cannot be reached: ${reason}`, { cause });
}

function standingOf(name: string, told: unknown): Standing {
  const { head, ordinal, common } = (told ?? {}) as Record<string, unknown>;
  const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
  if (isId(head) && Number.isSafeInteger(ordinal) && (common === null || isId(common)))
    return { head, number: ordinal as number, common: common ?? undefined };
  throw new FetchError('FETCH_FAILED', `${name} does not answer as a repository of Quadrille does`);
}

async function* chunksOf(
  name: string,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw failed(name, cause, signal);
      });
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}
