/** Follows a repository of a server: goes on after broken connections, without a gap and without repetition. */
import { parseResults } from '@quadrille/formats';
import { readPatch } from '@quadrille/formats/patch';
import { ClientError, failureOf } from './client-error.js';
import { readEvents, type ServerEvent } from './event-reader.js';
import { type RevisionRecord, revisionOf } from './records.js';
import { entriesOf } from './remote-history.js';
import type { Request, Requests } from './requests.js';
import { LazyResults, textOfAnswer } from './results.js';
import { patternParameters, queryParameters, refText } from './texts.js';
import type { Change, DiffEntry, LiveOptions, LiveUpdate, ReadOptions, Revision, Row, WatchOptions } from './types.js';

/** The server says something every 15 s. A connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
const SPARQL_JSON = 'application/sparql-results+json';
const PATCH = 'application/rdf-patch';
const END = { value: undefined, done: true } as const;

/** What a feed says, from one event to the next. Leaving it ends its connection. */
class Feed<T> implements AsyncIterableIterator<T, undefined> {
  readonly #left = new AbortController();
  readonly #items: AsyncGenerator<T>;

  constructor(open: (signal: AbortSignal) => AsyncGenerator<T>, signal: AbortSignal | undefined) {
    this.#items = open(signal === undefined ? this.#left.signal : AbortSignal.any([signal, this.#left.signal]));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    try {
      const { value, done } = await this.#items.next();
      return done === true ? END : { value: value as T, done: false };
    } catch (error) {
      if (this.#left.signal.aborted) return END;
      throw error;
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    // It may wait for an event. What it holds ends when it has noticed, and nobody waits for that.
    this.#left.abort();
    this.#items.return(undefined).catch(() => undefined);
    return END;
  }
}

/** The revisions as they are published. */
export function watched(requests: Requests, options: WatchOptions): AsyncIterableIterator<Change, undefined> {
  const { since, pattern = {}, signal } = options;
  const parameters = { ...patternParameters(pattern), since: since === undefined ? undefined : refText(since) };
  const open = (signals: AbortSignal): AsyncGenerator<Change> =>
    follow(requests, { path: '/changes', parameters, signal: signals }, async (event) =>
      event.type === 'revision' || event.type === 'revision-link' ? changeOf(requests, event, signals) : undefined,
    );
  return new Feed(open, signal);
}

/** The answer of a SELECT, and what each revision changes in it. */
export function followed(
  requests: Requests,
  query: string,
  options: LiveOptions,
): AsyncIterableIterator<LiveUpdate, undefined> {
  const { since, signal, ...asked } = options;
  const parameters = { ...queryParameters(asked), query, since: since === undefined ? undefined : refText(since) };
  const open = (signals: AbortSignal): AsyncGenerator<LiveUpdate> =>
    follow(requests, { path: '/live', parameters, signal: signals }, (event) => updateOf(requests, event, signals));
  return new Feed(open, signal);
}

interface Position {
  /** The last revision that was handed over. */
  id: string;
  retryMs: number;
  failures: number;
  answered: boolean;
}

/** Once the server has answered, it is asked again for as long as it takes. */
async function* follow<T>(
  requests: Requests,
  request: Request & { readonly signal: AbortSignal },
  itemOf: (event: ServerEvent) => Promise<T | undefined>,
): AsyncGenerator<T> {
  const position: Position = { id: '', retryMs: RETRY_MS, failures: 0, answered: false };
  for (;;) {
    try {
      for await (const event of eventsAfter(requests, request, position)) {
        const item = await itemOf(event);
        position.id = event.id;
        if (item !== undefined) yield item;
      }
    } catch (error) {
      if (!position.answered || !isPassing(error)) throw error;
    }
    await pause(Math.min(position.retryMs * 2 ** position.failures++, LONGEST_RETRY_MS), requests, request.signal);
  }
}

/** Whether to ask again may help: the server may be starting, or have too much to do. */
const isPassing = (error: unknown): boolean =>
  error instanceof ClientError && (error.code === 'FETCH_FAILED' || error.status >= 500 || error.status === 429);

async function* eventsAfter(
  requests: Requests,
  request: Request & { readonly signal: AbortSignal },
  position: Position,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController();
  const signal = AbortSignal.any([silence.signal, request.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const headers = position.id === '' ? {} : { 'Last-Event-ID': position.id };
    const response = await requests.send({ ...request, accept: 'text/event-stream', headers, signal });
    if (response.headers.get('Content-Type')?.startsWith('text/event-stream') !== true) {
      await response.body?.cancel();
      throw failureOf(requests.place.url, new Error('it answers no feed'), request.signal);
    }
    position.answered = true;
    heard();
    for await (const event of readEvents(heardText(response, signal, heard))) {
      position.failures = 0;
      position.retryMs = event.retry ?? position.retryMs;
      yield event;
    }
  } catch (error) {
    // Silence is a lost connection, and not an end that the caller has asked for.
    throw silence.signal.aborted && !request.signal.aborted
      ? failureOf(requests.place.url, new Error('the connection is silent'), undefined)
      : error;
  } finally {
    clearTimeout(timer);
  }
}

async function* heardText(response: Response, signal: AbortSignal, heard: () => void): AsyncGenerator<string> {
  for await (const text of textOfAnswer(response, signal)) {
    heard();
    yield text;
  }
}

const revisionAt = async (requests: Requests, id: string, signal: AbortSignal): Promise<Revision> =>
  revisionOf(await requests.json<RevisionRecord>({ path: `/revisions/${id}`, signal }));

async function changeOf(requests: Requests, event: ServerEvent, signal: AbortSignal): Promise<Change> {
  const patch = (options: ReadOptions = {}): LazyResults<string> =>
    new LazyResults(() => patchOf(requests, event, options.signal));
  return {
    revision: await revisionAt(requests, event.id, signal),
    patch,
    quads: (options) =>
      new LazyResults<DiffEntry>(async function* () {
        for await (const rows of readPatch(bytesOfText(patch(options)))) yield* entriesOf(rows);
      }),
  };
}

async function* bytesOfText(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

/** A patch that is too long for an event stands elsewhere, and is asked for again where the connection breaks. */
async function* patchOf(
  requests: Requests,
  { type, data }: ServerEvent,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  if (type === 'revision') {
    yield `${data}\n`;
    return;
  }
  const parameters = Object.fromEntries(new URL(data, requests.place.url).searchParams);
  let given = 0;
  for (let failures = 0; ; failures++) {
    try {
      let skipped = 0;
      for await (const text of textOfAnswer(
        await requests.send({ path: '/diff', parameters, accept: PATCH, signal }),
        signal,
      )) {
        const rest = text.slice(Math.min(text.length, given - skipped));
        skipped += text.length - rest.length;
        given += rest.length;
        skipped += rest.length;
        if (rest !== '') yield rest;
      }
      return;
    } catch (error) {
      if (failures === MOST_FAILURES || !isPassing(error)) throw error;
      await pause(RETRY_MS * 2 ** failures, requests, signal);
    }
  }
}

/** Broken connections in the patch of one revision. */
const MOST_FAILURES = 4;

async function updateOf(
  requests: Requests,
  { type, data }: ServerEvent,
  signal: AbortSignal,
): Promise<LiveUpdate | undefined> {
  if (type === 'problem') {
    const { error, code } = JSON.parse(data) as { readonly error: string; readonly code: string };
    throw new ClientError(error, { code, status: 0 });
  }
  if (type !== 'answer') return undefined;
  const { revision, path, variables, added, removed } = JSON.parse(data) as {
    readonly revision: string;
    readonly path: LiveUpdate['path'];
    readonly variables: readonly string[];
    readonly added: readonly object[];
    readonly removed: readonly object[];
  };
  return {
    revision: await revisionAt(requests, revision, signal),
    path,
    variables,
    added: rowsOf(variables, added),
    removed: rowsOf(variables, removed),
  };
}

function rowsOf(vars: readonly string[], bindings: readonly object[]): readonly Row[] {
  const parsed = parseResults(JSON.stringify({ head: { vars }, results: { bindings } }), SPARQL_JSON);
  return parsed.type === 'bindings' ? parsed.rows : [];
}

/** @throws ClientError `ABORTED` */
export function pause(ms: number, { place }: Requests, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(failureOf(place.url, signal?.reason, signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}
