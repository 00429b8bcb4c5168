/** Requests to one repository of a server. */
import { errorOf, failureOf } from './client-error.js';

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the repository. */
  readonly path: string;
  /** What stands in the address. Lists give a parameter several times; what is `undefined` is left out. */
  readonly parameters?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal | undefined;
}

export interface Place {
  /** The address of the repository, without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
  /** The branch of every request; `undefined` for the default one of the server. */
  readonly branch: string | undefined;
}

export class Requests {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  /** The answer, which is a success. @throws ClientError */
  async send({ method = 'GET', path, parameters = {}, accept, headers, body, signal }: Request): Promise<Response> {
    const { url, token, branch } = this.place;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
      for (const each of typeof value === 'string' ? [value] : (value ?? [])) query.append(name, each);
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    let response: Response;
    try {
      response = await fetch(`${url}${path}${search}`, {
        method,
        headers: {
          ...(accept !== undefined && { Accept: accept }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(branch !== undefined && { Branch: encodeURIComponent(branch) }),
          ...headers,
        },
        // The token is for the server that was named.
        redirect: 'error',
        credentials: 'omit',
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
        ...(signal && { signal }),
      } as RequestInit);
    } catch (cause) {
      throw failureOf(url, cause, signal);
    }
    if (response.ok) return response;
    throw await errorOf(response);
  }

  async json<T>(request: Request): Promise<T> {
    const response = await this.send({ accept: 'application/json', ...request });
    return response.json().catch((cause: unknown) => {
      throw failureOf(this.place.url, cause, request.signal);
    }) as Promise<T>;
  }
}
