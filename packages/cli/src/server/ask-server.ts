/** Sends requests of commands to a server that has the store open. */
import { FetchError, InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import { addTokenFile, serverToken } from './server-token.js';

export interface ServerOptions {
  /** The address of the server. */
  readonly server: string;
  readonly tokenFile?: string;
}

export interface ServerRequest {
  readonly method: string;
  /** Below the address of the server, without a slash in front. */
  readonly path: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | AsyncIterable<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export function addServer(command: Command): Command {
  return addTokenFile(command.option('--server <url>', 'the server that has the store open'));
}

/**
 * The answer of a server, which is a success.
 * @throws FetchError `FETCH_FAILED` with the `code` of the server where it has answered with an error; with a
 *   `cause` where the connection has failed. InvalidArgumentError `INVALID_OPTION`
 */
export async function askServer(options: ServerOptions, request: ServerRequest): Promise<Response> {
  const { method, path, json, body, headers, signal } = request;
  const address = addressOf(options.server, path);
  const token = await serverToken(options.tokenFile);
  const init: RequestInit = {
    method,
    headers: {
      ...headers,
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    // The token is for the server that was named.
    redirect: 'error',
    ...(json !== undefined
      ? { body: JSON.stringify(json) }
      : body !== undefined && { body: body as BodyInit, duplex: 'half' }),
    ...(signal && { signal }),
  };
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (cause) {
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new FetchError('FETCH_FAILED', `${address.origin} cannot be reached: ${reason}`, { cause });
  }
  if (response.ok) return response;
  const text = await response.text().catch((cause: unknown) => {
    const message = `the connection was lost within the answer ${String(response.status)} of ${address.origin}`;
    throw new FetchError('FETCH_FAILED', message, { cause });
  });
  const { error, code } = errorOf(text);
  const said = typeof error === 'string' ? error : 'no answer that can be read';
  throw Object.assign(new FetchError('FETCH_FAILED', `the server answered ${String(response.status)}: ${said}`), {
    ...(typeof code === 'string' && { code }),
  });
}

/** The members of an answer that is an error; none where another program than Quadrille has answered. */
function errorOf(text: string): { readonly error?: unknown; readonly code?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { error?: unknown; code?: unknown };
  } catch {
    return {};
  }
}

/** The answer as JSON. @throws FetchError as {@link askServer}, and where the answer is none of a server of Quadrille */
export async function askJson<T>(options: ServerOptions, request: ServerRequest): Promise<T> {
  const response = await askServer(options, {
    ...request,
    headers: { Accept: 'application/json', ...request.headers },
  });
  try {
    return (await response.json()) as T;
  } catch (cause) {
    throw new FetchError('FETCH_FAILED', `${options.server} is not a Quadrille server`, { cause });
  }
}

/** A path of these names, each percent-encoded. @throws InvalidArgumentError `INVALID_NAME` for one that a path cannot have */
export function serverPath(...names: readonly string[]): string {
  const wrong = names.find((name) => /^\.{0,2}$/.test(name));
  if (wrong !== undefined) throw new InvalidArgumentError('INVALID_NAME', `not a name: ${JSON.stringify(wrong)}`);
  return names.map(encodeURIComponent).join('/');
}

function addressOf(server: string, path: string): URL {
  const address = URL.canParse(server) ? new URL(server) : undefined;
  if (
    address === undefined ||
    !/^https?:$/.test(address.protocol) ||
    address.username !== '' ||
    address.password !== ''
  )
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      '--server is an address such as http://127.0.0.1:8080, without user',
    );
  const base = new URL(address.href);
  base.search = '';
  base.hash = '';
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/`;
  return new URL(path, base);
}
