/** Requests to one repository of a server. */
import { errorOf, failureOf } from './client-error.js';

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the place. */
  readonly path: string;
  /** What stands in the address. Lists give a parameter several times; what is `undefined` is left out. */
  readonly parameters?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, bytes, or a stream of bytes. */
  readonly body?: BodyInit | AsyncIterable<Uint8Array>;
  /** Sent as JSON, in place of a body. */
  readonly json?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface Place {
  /** The address of a repository, or of a server, without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
  /** The branch of every request; `undefined` for the default one of the server. */
  readonly branch: string | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How requests are sent: default `fetch` of the platform. Its errors may be those of this client. */
  readonly fetch?: ((address: string, request: RequestInit) => Promise<Response>) | undefined;
}

/** Requests to one place. The command `quadrille` uses it, and it may change with any version. */
export class Requests {
  /** Where they go. */
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  /** The answer, which is a success. @throws ClientError */
  async send({
    method = 'GET',
    path,
    parameters = {},
    accept,
    headers,
    body,
    json,
    signal,
  }: Request): Promise<Response> {
    const { url, token, branch, headers: common, fetch: send = fetch } = this.place;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
      for (const each of typeof value === 'string' ? [value] : (value ?? [])) query.append(name, each);
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    let response: Response;
    try {
      response = await send(`${url}${path}${search}`, {
        method,
        headers: {
          ...(accept !== undefined && { Accept: accept }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(branch !== undefined && { Branch: encodeURIComponent(branch) }),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...common,
          ...headers,
        },
        // The token is for the server that was named.
        redirect: 'error',
        credentials: 'omit',
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body, duplex: 'half' }),
        ...(signal && { signal }),
      } as RequestInit);
    } catch (cause) {
      throw failureOf(url, cause, signal);
    }
    if (response.ok) return response;
    throw await errorOf(response, signal);
  }

  /** The answer as JSON. @throws ClientError, `FETCH_FAILED` where it is none of a server of Quadrille */
  async json<T>(request: Request): Promise<T> {
    const response = await this.send({ accept: 'application/json', ...request });
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('Content-Type') ?? '');
    if (!isJson) throw failureOf(this.place.url, new Error('this is not a Quadrille server'), request.signal);
    return response.json().catch((cause: unknown) => {
      throw failureOf(this.place.url, cause, request.signal);
    }) as Promise<T>;
  }
}
