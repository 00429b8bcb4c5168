/** The server of the page: a database in IndexedDB, behind the same handler as that of a server. */
import { createHandler, type Handler, type HttpRequest, type Reply } from '@quadrille/server';
import { openService, type Service } from '@quadrille/server/host';
import { type Database, open } from 'quadrille';
import { loadExample } from './example.js';
import type { StoreState } from './messages.js';
import type { Asked, AnswerRequest, PortReply } from './serve-channel.js';

/** So long a tab that was closed may need to let go of the store. */
const LOCK_MS = 10_000;
/** Codes of browsers that refuse to keep anything, such as in private windows. A store that cannot be read is another matter. */
const REFUSED: ReadonlySet<unknown> = new Set(['STORAGE_IO', 'STORAGE_FULL']);

export interface Host {
  readonly answer: AnswerRequest;
  readonly state: StoreState;
}

/** Opens the store of a name for a page at a path. What fails is told by the state, and by each answer. */
export const openHost = (name: string, path: string): Promise<Host> =>
  hosted(path, async () => {
    const { database, unkept } = await openOrHold(name);
    const isNew = await loadExample(database).catch(() => false);
    const service = await openService(database, { open: true, rateLimit: false });
    return { service, state: { holder: 'own', isNew, ...(unkept !== undefined && { unkept }) } };
  });

/** The same of a published store. Nothing is written, neither to it nor to this browser. */
export const openPublished = (place: string, path: string): Promise<Host> =>
  hosted(path, async () => {
    const service = await openService(await open(place), { open: true, rateLimit: false, follows: true });
    return { service, state: { holder: 'own', isNew: false } };
  });

async function hosted(
  path: string,
  start: () => Promise<{ readonly service: Service; readonly state: StoreState }>,
): Promise<Host> {
  try {
    const { service, state } = await start();
    const handler = createHandler({ service, basePath: path.replace(/\/$/, '') });
    return { answer: (asked) => answerBy(handler, asked), state };
  } catch (error) {
    const { code = 'INTERNAL_ERROR', message } = error as Error & { code?: string };
    const body = JSON.stringify({ error: message, code });
    const reply = { status: 503, headers: { 'Content-Type': 'application/json' }, body };
    return { answer: async () => reply, state: { holder: 'own', isNew: false, failure: message } };
  }
}

/** Data that the browser refuses to keep are held in memory. */
async function openOrHold(name: string): Promise<{ readonly database: Database; readonly unkept?: string }> {
  try {
    if ((globalThis as { indexedDB?: unknown }).indexedDB === undefined)
      throw new ReferenceError('there is no IndexedDB');
    return { database: await open(name, { lockTimeoutMs: LOCK_MS }) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const unkept = error instanceof Error ? error.message : String(error);
    return { database: await open(':memory:'), unkept };
  }
}

const isRefusal = (error: unknown): boolean =>
  REFUSED.has((error as { code?: unknown }).code) || error instanceof DOMException || error instanceof ReferenceError;

async function answerBy(handler: Handler, asked: Asked): Promise<PortReply> {
  const { status, headers, body } = (await handler.reply(requestOf(asked))) satisfies Reply;
  return { status, headers: Object.fromEntries(headers), body };
}

function requestOf({ request, signal, onTaken }: Asked): HttpRequest {
  const headers = new Headers(request.headers);
  const { method, url, body } = request;
  const content = typeof body === 'string' ? new Blob([body]) : body;
  if (content !== null) headers.set('Content-Length', String(content.size));
  const abandoning = new AbortController();
  return {
    method,
    url,
    headers,
    body: content === null ? null : bytesOf(content, onTaken),
    signal: AbortSignal.any([signal, abandoning.signal]),
    abandon: (reason) => abandoning.abort(reason),
  };
}

/** A file is read as it is taken. */
async function* bytesOf(content: Blob, onTaken: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = content.stream().getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
      bytes += value.length;
      onTaken(bytes);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
