/** Places that are servers, or repositories of servers, by their addresses. */
import type { Requests } from '@quadrille/client';
import { InvalidArgumentError, StateError } from '@quadrille/model';
import type { Repository } from 'quadrille';
import { serverToken } from './server-token.js';

/** What a command tells of a place that is none of this machine. */
export interface PlaceOptions {
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/** A server that takes longer is no host of files. */
const MANIFEST_MS = 10_000;

/** Whether a place is the address of a server, or of one of its repositories. */
export const isServer = (place: string): boolean => /^https?:\/\//i.test(place);

/** Whether the address is that of a published store: a folder with a manifest. */
export async function isPublishedStore(place: string): Promise<boolean> {
  const url = new URL(place);
  url.pathname = `${url.pathname.replace(/\/(?:quadrille\.json|index\.html)?$/, '')}/quadrille.json`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MANIFEST_MS) });
    if (!response.ok) return false;
    const manifest = (await response.json()) as { format?: unknown; start?: unknown };
    return typeof manifest.format === 'number' && typeof manifest.start === 'object';
  } catch {
    // Whoever asks the server next tells what is wrong with it.
    return false;
  }
}

/** Somebody wants to write to a published store. */
export const publishedOnly = (place: string): StateError =>
  new StateError(
    'READ_ONLY',
    `${place} is a published store, which takes no writes: change the store, and publish it again`,
  );

/**
 * A repository of a server by its address, with the calls of the library that the client has. `places.slow.test.ts` runs each command that
 * takes such a place over both.
 */
export async function remoteRepository(address: string, options: PlaceOptions): Promise<Repository> {
  refuseRepository(options);
  const { repositoryAt } = await import('@quadrille/client');
  const { branch, tokenFile } = options;
  return repositoryAt(address, { branch, token: await serverToken(tokenFile) }) as unknown as Repository;
}

/** Refuses a second name of the repository. */
export function refuseRepository({ repository }: PlaceOptions): void {
  if (repository === undefined) return;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    '--repository is part of the address: https://host/account/repository',
  );
}

/** Refuses options that only the process with the store can use. @param options those that a command has for a store alone, by their names */
export function refuseLocal(place: string, options: Readonly<Record<string, unknown>>): void {
  if (!isServer(place)) return;
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `--${name} is for a store, and does not go with the address of a server`,
  );
}

/** Requests to a server by its address. @throws ClientError `INVALID_OPTION` for what is no address */
export async function requestsTo(address: string, tokenFile: string | undefined): Promise<Requests> {
  const { Requests: To, repositoryAt } = await import('@quadrille/client');
  const { url } = repositoryAt(address);
  return new To({ url, token: await serverToken(tokenFile), branch: undefined });
}

/** A path of these names, each percent-encoded. @throws InvalidArgumentError `INVALID_NAME` for one that a path cannot have */
export function serverPath(...names: readonly string[]): string {
  const wrong = names.find((name) => /^\.{0,2}$/.test(name));
  if (wrong !== undefined) throw new InvalidArgumentError('INVALID_NAME', `not a name: ${JSON.stringify(wrong)}`);
  return `/${names.map(encodeURIComponent).join('/')}`;
}
