/** The way to a repository of a server. */
import { ClientError } from './client-error.js';
import { RemoteRepository } from './remote-repository.js';
import { Requests } from './requests.js';

/**
 * Options of {@link connect}.
 * @since 0.1.0
 */
export interface ConnectOptions {
  /** A token of the server, which is sent with each request. */
  readonly token?: string | undefined;
  /**
   * The branch that calls read and write.
   * @defaultValue the default branch of the server
   */
  readonly branch?: string | undefined;
  /** Ends the call with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A repository of a server by its address, such as `https://data.example.org/acme/people`. It asks the server once, whether there is such a
 * repository which the caller may read.
 * @throws ClientError `INVALID_OPTION` for an address that is not http or https, or that has a user name; `UNAUTHENTICATED`;
 *   `REPOSITORY_NOT_FOUND`, also for one that the caller may not read; `BRANCH_NOT_FOUND`; `STORE_UNAVAILABLE`; `FETCH_FAILED`; `ABORTED`
 * @example
 * ```ts no-run="needs a server"
 * import { connect } from '@quadrille/client';
 *
 * const people = await connect('https://data.example.org/acme/people', { token: 'qrl_…' });
 * for await (const { name } of people.select('SELECT ?name { ?s foaf:name ?name }')) console.log(name);
 * ```
 * @since 0.1.0
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<RemoteRepository> {
  const repository = repositoryAt(url, options);
  await repository.revision({ signal: options.signal });
  return repository;
}

/**
 * The same without asking: the first call tells what is wrong. The command `quadrille` uses it, and it may change with any version.
 * @throws ClientError `INVALID_OPTION`
 */
export function repositoryAt(url: string, { token, branch }: ConnectOptions = {}): RemoteRepository {
  return new RemoteRepository(new Requests({ url: addressOf(url), token, branch }));
}

/** The repository at the place of requests. The processes that share a store use it, and it may change with any version. */
export const repositoryBy = (requests: Requests): RemoteRepository => new RemoteRepository(requests);

/** @throws ClientError `INVALID_OPTION` */
function addressOf(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = address?.username === '' && address.password === '' && address.search === '' && address.hash === '';
  if (isPlain && /^https?:$/.test(address.protocol)) return address.href.replace(/\/+$/, '');
  throw new ClientError(
    'the address is such as https://data.example.org/acme/people, without a user name and parameters',
    { code: 'INVALID_OPTION', status: 0 },
  );
}
