/** Opens a published store by the address of its folder: in Node.js, in pages and in workers. */
import { InvalidArgumentError } from '@quadrille/model';
import type { StorageDriver } from '@quadrille/storage';
import type { Inflate, KeptParts } from '@quadrille/storage-published';
import type { OpenOptions } from '../api/index.js';

/** Whether a location is the address of a published store. */
export const isPublished = (location: unknown): location is string =>
  typeof location === 'string' && /^https?:\/\//i.test(location);

/** What a published store can do nothing with. */
const OTHERS = ['backend', 'follow', 'share', 'durability', 'diskCache', 'workers'] as const;

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function checkPublished(options: OpenOptions): void {
  const other = OTHERS.find((name) => options[name] !== undefined && options[name] !== false);
  if (other !== undefined) throw wrong(`a published store has no option ${other}`);
  if (options.readOnly === false || options.create === true) throw wrong('a published store is read only');
}

/** What a platform brings of its own. */
export interface PublishedParts {
  readonly inflate?: Inflate | undefined;
  readonly keptParts?: ((place: string) => Promise<KeptParts | undefined>) | undefined;
}

/** The address of the folder, also where the manifest or the page of it is given. */
function folderOf(location: string): string {
  const url = new URL(location);
  url.hash = '';
  url.search = '';
  url.pathname = url.pathname.replace(/(?:quadrille\.json|index\.html)$/, '');
  return url.href;
}

export async function openPublished(
  location: string,
  { concurrency }: OpenOptions,
  { inflate, keptParts }: PublishedParts,
  onRequest: (bytes: number) => void,
): Promise<StorageDriver> {
  const { HttpFiles, PublishedDriver } = await import('@quadrille/storage-published');
  const files = new HttpFiles(folderOf(location), { concurrency, onRequest });
  return new PublishedDriver(files, { inflate, kept: await keptParts?.(files.place) });
}

const wrong = (what: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', `open: ${what}`);
