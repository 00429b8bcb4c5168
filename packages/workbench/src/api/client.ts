/** The one way to the server. Nothing else of the page sends requests, but the worker of rows, which gets its request from here. */
import { signal } from '@preact/signals';
import { ApiError, type Problem, problemOf } from './errors.js';
import { isWorthAgain, MOST_ATTEMPTS, online } from './waiting.js';
import type { OnTaken } from './port/client.js';

/** A channel to whoever answers, for a worker. */
export interface Way {
  /** Is transferred to the worker. */
  readonly port: MessagePort;
  /** Ends all that the worker has asked for. */
  close(): void;
}

/** Stands in for a server. */
export interface Transport {
  /** As `fetch`. `onTaken` gets how many bytes of the body were taken so far. */
  send(url: string, init: RequestInit, onTaken?: OnTaken): Promise<Response>;
  open(): Way;
}

let transport: Transport | undefined;
export const useTransport = (other: Transport): void => void (transport = other);
/** What stands in for a server; undefined where there is a server. */
export const transportInUse = (): Transport | undefined => transport;

/** The token that is sent; undefined where the server asks for none. */
export const token = signal<string | undefined>(undefined);
/** Finds the branch on which a path is; undefined for the default one. */
let branchOf: (path: string) => string | undefined = () => undefined;
export const useBranchOf = (find: typeof branchOf): void => void (branchOf = find);
/** Set by an answer 401, until the user has signed in. */
export const signInNeeded = signal(false);
/** The address of a path of the server, whatever prefix the page is below. */
export function urlOf(path: string): string {
  const { origin, pathname } = location;
  return `${origin}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}${path.replace(/^\//, '')}`;
}

/**
 * A request as `fetch` takes it, with the token, and with the branch where the path names none. Browsers' own credentials are never used: they would open a dialog of the browser. Nor is
 * their cache: the documents of a revision share its entity tag, and a browser that has one of them would take it for the others.
 */
export const prepared = (path: string, init: RequestInit = {}): Prepared => preparedOn(branchMeant(path), path, init);

interface Prepared {
  readonly url: string;
  readonly init: RequestInit;
}

function preparedOn(branch: string | undefined, path: string, init: RequestInit): Prepared {
  const headers = new Headers(init.headers);
  if (token.value !== undefined) headers.set('Authorization', `Bearer ${token.value}`);
  if (branch !== undefined) headers.set('Branch', encodeURIComponent(branch));
  return { url: urlOf(path), init: { ...init, headers, credentials: 'omit', cache: 'no-store' } };
}

const branchMeant = (path: string): string | undefined =>
  /[?&]branch(?:es)?=/.test(path) ? undefined : branchOf(path);

/** When a request that has failed is sent again by itself: also after a lost connection, only where the server had refused it unread, or never. */
export type Again = 'always' | 'busy' | 'never';

/**
 * Sends a request to a path of the server. A busy server is asked again after the time that it names. What only reads is also sent again when the
 * server can be reached again. So whoever asked goes on by itself.
 * @throws ApiError for every status but 2xx and 304; TypeError where the server is out of reach; AbortError on the signal
 */
export async function request(path: string, init: RequestInit = {}, again = usual(init)): Promise<Response> {
  // The user may go to another branch before the request is sent again.
  const branch = branchMeant(path);
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(path, init, branch);
    } catch (error) {
      if (error instanceof EarlierToken) continue;
      const useless = again === 'never' || attempt >= MOST_ATTEMPTS || (again === 'busy' && error instanceof TypeError);
      if (useless || !(await isWorthAgain(error, attempt, init.signal ?? undefined))) throw error;
    }
  }
}

/** What changes something may have been done when its answer is lost. */
const usual = ({ method = 'GET' }: RequestInit): Again => (method === 'GET' ? 'always' : 'busy');

async function send(path: string, init: RequestInit, branch: string | undefined): Promise<Response> {
  const { url, init: complete } = preparedOn(branch, path, init);
  const sent = token.value;
  const response = await (transport?.send(url, complete) ?? fetch(url, complete)).catch((error: unknown) => {
    if (error instanceof TypeError) online.value = false;
    throw error;
  });
  online.value = true;
  if (response.ok || response.status === 304) return response;
  const problem = await problemOf(response);
  if (!noteProblem(problem, sent)) throw new EarlierToken(problem);
  throw new ApiError(problem);
}

/** A refusal of a token that is used no more: the user has signed in since, and the server did not read the request. */
class EarlierToken extends ApiError {}

/**
 * A 401 opens the dialog to sign in.
 * @param sent the token that was refused
 * @returns false where the user has signed in with another one since
 */
export function noteProblem({ status }: Problem, sent: string | undefined): boolean {
  if (status !== 401) return true;
  if (sent !== token.value) return false;
  signInNeeded.value = true;
  return true;
}

/** A document of the server as JSON. */
export async function getJson<T>(path: string, signal?: AbortSignal, again?: Again): Promise<T> {
  const init = { headers: { Accept: 'application/json' }, ...(signal && { signal }) };
  const response = await request(path, init, again);
  return (await response.json()) as T;
}

/** Parameters of an address, with `?`; those that are undefined are left out. */
export function parametersOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
