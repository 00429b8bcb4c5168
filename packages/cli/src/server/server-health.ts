/** Asks a server whether it is ready, with nothing but the HTTP client of Node.js. */
import type { IncomingMessage } from 'node:http';
import { FetchError } from '@quadrille/model';
import { isLoopback } from './loopback.js';

/** The answer of `/ready` and `/health`. */
export interface ServerHealth {
  readonly ok: boolean;
  /** `ready`, `ok`, or what keeps the server from it. */
  readonly status: string;
}

/** More than any answer has. */
const MOST_CHARACTERS = 4096;

/**
 * The answer of a server. A certificate is checked, except on this machine: there it names another host than the address, and nobody
 * stands between.
 * @throws FetchError `FETCH_FAILED` if there is no answer within `timeoutMs`, or none of Quadrille
 */
export async function serverHealth(address: URL, timeoutMs: number): Promise<ServerHealth> {
  const response = await answered(address, AbortSignal.timeout(timeoutMs)).catch((cause: unknown) => {
    const reason =
      cause instanceof Error && cause.name !== 'TimeoutError' && cause.name !== 'AbortError'
        ? ((cause as NodeJS.ErrnoException).code ?? cause.message)
        : `no answer within ${String(timeoutMs)} ms`;
    throw new FetchError('FETCH_FAILED', `${address.href} cannot be reached: ${reason}`, { cause });
  });
  const document = parsed(response.text);
  if (typeof document?.status !== 'string')
    throw new FetchError(
      'FETCH_FAILED',
      `${address.href} is not a Quadrille server: it answered ${String(response.status)}`,
    );
  const { status, reason } = document;
  return { ok: response.status === 200, status: typeof reason === 'string' ? `${status}: ${reason}` : status };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function answered(address: URL, signal: AbortSignal): Promise<Answer> {
  const secure = address.protocol === 'https:';
  const options = { signal, agent: false, ...(secure && { rejectUnauthorized: !isLoopback(address.hostname) }) };
  // Loaded here: other commands need none of it.
  const { request: ask } = await (secure ? import('node:https') : import('node:http'));
  return new Promise((done, fail) => {
    const request = ask(address, options, (response) => {
      textOf(response).then((text) => done({ status: response.statusCode ?? 0, text }), fail);
    });
    request.on('error', fail);
    request.end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MOST_CHARACTERS) break;
  }
  return text;
}

function parsed(text: string): { status?: unknown; reason?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
