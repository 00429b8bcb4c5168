/** Follows a repository of a server: it resumes after broken connections, without a gap and without repetition. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents, type ServerEvent } from './event-reader.js';

export interface FollowOptions {
  /** The address of the repository. */
  readonly repository: URL;
  /** The feed, a resource of the repository. */
  readonly resource: 'changes' | 'live';
  /** Sent as `since` and as filters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  /** Most events. */
  readonly limit: number;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
  /**
   * The text of an event. What it throws ends the iteration.
   * @defaultValue the patch of a revision
   */
  show?(event: ServerEvent): Iterable<string>;
}

/** The server says something every 15 s. A connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/** The server has refused the request; trying again would not help. */
class Refusal extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * The texts of the events, in pieces. It tries again for as long as it takes, once the server has answered.
 * @throws Error with the code of the server's answer, or `FETCH_FAILED` where there has never been one
 */
export async function* followRepository(options: FollowOptions): AsyncGenerator<string> {
  const { signal } = options;
  const position: Position = { id: '', left: options.limit, retryMs: RETRY_MS, failures: 0, answered: false };
  while (position.left > 0) {
    try {
      yield* follow(options, position);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal) throw error;
      if (!position.answered) throw unreachable(options.repository, error);
    }
    if (position.left === 0) return;
    const pause = Math.min(position.retryMs * 2 ** position.failures++, LONGEST_RETRY_MS);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

interface Position {
  /** The last revision that was handed over as a whole. */
  id: string;
  left: number;
  retryMs: number;
  failures: number;
  answered: boolean;
}

async function* follow(options: FollowOptions, position: Position): AsyncGenerator<string> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, options.signal]);
  try {
    const response = await request(options, position, signal);
    position.answered = true;
    for await (const event of readEvents(textOf(response, stop))) {
      position.failures = 0;
      position.retryMs = event.retry ?? position.retryMs;
      yield* options.show === undefined ? patchOf(event, options, stop) : shown(event, options.show);
      position.id = event.id;
      if (event.data !== '' && --position.left === 0) return;
    }
  } finally {
    stop.abort();
  }
}

function shown(event: ServerEvent, show: (event: ServerEvent) => Iterable<string>): string[] {
  try {
    return [...show(event)];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Refusal(error.message, String(error.code));
  }
}

async function request(options: FollowOptions, { id, answered }: Position, signal: AbortSignal): Promise<Response> {
  const address = new URL(`${options.repository.href.replace(/\/+$/, '')}/${options.resource}`);
  for (const [name, value] of Object.entries(options.parameters)) address.searchParams.set(name, value);
  const headers = { Accept: 'text/event-stream', ...(id !== '' && { 'Last-Event-ID': id }), ...tokenOf(options) };
  const response = await fetch(address, { headers, signal });
  const isFeed = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  if (response.ok && isFeed) return response;
  const refusal = await refusalOf(response);
  // The server may be starting, or have too much to do.
  if (answered && (response.status >= 500 || response.status === 429)) throw new Error(refusal.message);
  throw refusal;
}

const tokenOf = ({ token }: FollowOptions): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

async function refusalOf(response: Response): Promise<Refusal> {
  const { error, code } = (await response.json().catch(() => ({}))) as { error?: unknown; code?: unknown };
  if (typeof error === 'string' && typeof code === 'string') return new Refusal(error, code);
  return new Refusal(`${response.url} answered ${String(response.status)}, and no feed`, 'FETCH_FAILED');
}

function unreachable(repository: URL, cause: unknown): Error {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return Object.assign(new Error(`${repository.origin} cannot be reached: ${reason}`, { cause }), {
    code: 'FETCH_FAILED',
  });
}

async function* patchOf({ type, data }: ServerEvent, options: FollowOptions, stop: AbortController) {
  if (type === 'revision') yield `${data}\n`;
  else if (type === 'revision-link') yield* linkedPatch(new URL(data, options.repository), options, stop);
}

/** A patch that was too long for an event. Its rows are taken back where it breaks off: the whole one follows. */
async function* linkedPatch(address: URL, options: FollowOptions, stop: AbortController): AsyncGenerator<string> {
  // The token is for the server that was named.
  const token = address.origin === options.repository.origin ? tokenOf(options) : {};
  const signal = AbortSignal.any([stop.signal, options.signal]);
  const response = await fetch(address, { headers: { Accept: 'application/rdf-patch', ...token }, signal });
  if (!response.ok) throw new Error(`${address.href} answered ${String(response.status)}`);
  let [rest, begun] = ['', false];
  try {
    for await (const piece of textOf(response, stop)) {
      const end = piece.lastIndexOf('\n') + 1;
      const rows = end === 0 ? '' : rest + piece.slice(0, end);
      rest = end === 0 ? rest + piece : piece.slice(end);
      begun ||= /^TX \.$/m.test(rows);
      yield rows;
    }
  } catch (error) {
    if (begun) yield 'TA .\n';
    throw error;
  }
}

/** The text of an answer; a silent connection is given up. */
async function* textOf(response: Response, stop: AbortController): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const timer = setTimeout(() => stop.abort(new Error('the connection is silent')), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
