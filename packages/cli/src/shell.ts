/** The environment of a command: output streams, signal, and access to stores. */
import { InvalidArgumentError, StateError } from '@quadrille/model';
import type {
  ChangePreview,
  CommitOptions as Change,
  Database,
  Logger,
  OpenOptions,
  ReadView,
  Repository,
  Revision,
} from 'quadrille';
import { allFormats } from './formats.js';
import { revisionLine } from './lines.js';
import { type CommitOptions, DEFAULT_REPOSITORY, given } from './options.js';
import {
  isPublishedStore,
  isServer,
  publishedOnly,
  type PlaceOptions,
  refuseLocal,
  remoteRepository,
} from './server/server-place.js';
import { Output } from './output.js';
import { withoutSecrets } from './secrets.js';

export interface Shell {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  readonly columns: number;
  /** The name of an agent that was greeted already. */
  readonly agent?: string;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly setExitCode: (code: number) => void;
}

/** Options that most commands share. */
export interface CommonOptions extends PlaceOptions {
  readonly json?: boolean;
}
export interface ReadingOptions extends CommonOptions {
  readonly at?: string;
}

/** A logger for the commands that write: warnings are lines on standard error. */
export const warnings = ({ stderr }: Shell): Logger => ({
  info: () => undefined,
  warn: (message) => void stderr.line(withoutSecrets(`quadrille: warning: ${message}`)).catch(() => undefined),
  error: (message) => void stderr.line(withoutSecrets(`quadrille: error: ${message}`)).catch(() => undefined),
});

/**
 * Opens a store for the run of a function and closes it in every case. With `create` a missing store is made. Commands that
 * only read register further formats when they are asked for one: loading them takes as long as opening a small store.
 */
export async function withDatabase<T>(
  location: string,
  options: OpenOptions & { readonly create: boolean },
  run: (database: Database) => Promise<T>,
): Promise<T> {
  if (isServer(location))
    throw new InvalidArgumentError('INVALID_OPTION', 'this command needs the store itself, and no address of a server');
  const { open } = await import('quadrille');
  if (options.readOnly !== true) await allFormats();
  const database = await open(location, options).catch(heldByServer);
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

/** Says what to do about a store that is held, perhaps by a server. */
function heldByServer(error: unknown): never {
  if (!(error instanceof StateError) || error.code !== 'STORE_LOCKED') throw error;
  const hint = 'if that is a server, ask it: give its address, such as http://127.0.0.1:8080, instead of the store';
  throw new StateError('STORE_LOCKED', `${error.message.replace(/\.$/, '')}; ${hint}`, {
    cause: error,
    details: error.details,
  });
}

/** For commands that need the store itself: they ask no process that shares it. */
export const ALONE = { share: false } as const;

/** Options of commands that only read. An LMDB store may be open in another process then. */
export const READING = { create: false, readOnly: true } as const;

/** The repository of the options, on the branch of `--branch`. */
export async function repositoryOf(
  database: Database,
  { repository: name = DEFAULT_REPOSITORY, branch }: PlaceOptions,
  options: { readonly create?: boolean } = {},
): Promise<Repository> {
  const repository = await database.repository(name, options);
  return branch === undefined ? repository : repository.branches.open(branch);
}

/** A repository of a store, both of which have to exist. */
export function withStoredRepository<T>(
  store: string,
  options: PlaceOptions,
  open: OpenOptions & { readonly create: false },
  run: (repository: Repository, database: Database) => Promise<T>,
): Promise<T> {
  return withDatabase(store, open, async (database) => run(await repositoryOf(database, options), database));
}

/** The same, or a repository of a server. */
export async function withRepository<T>(
  place: string,
  options: PlaceOptions,
  open: OpenOptions & { readonly create: false },
  run: (repository: Repository, database?: Database) => Promise<T>,
): Promise<T> {
  if (isServer(place)) {
    if (await isPublishedStore(place)) return withPublished(place, options, open, run);
    return run(await remoteRepository(place, options));
  }
  return withStoredRepository(place, options, open, run);
}

/** A repository of a published store, which need not be named where it is the only one. */
async function withPublished<T>(
  place: string,
  { repository, ...options }: PlaceOptions,
  { readOnly, federation }: OpenOptions,
  run: (repository: Repository, database: Database) => Promise<T>,
): Promise<T> {
  if (readOnly !== true) throw publishedOnly(place);
  const { open } = await import('quadrille');
  const database = await open(place, { federation });
  try {
    const names = await database.repositories().toArray();
    const name = repository ?? (names.length === 1 ? names[0]!.name : undefined);
    return await run(await repositoryOf(database, { ...options, repository: name }), database);
  } finally {
    await database.close();
  }
}

/** A repository at the revision of `--at`. */
export function withView<T>(place: string, options: ReadingOptions, run: (view: ReadView) => Promise<T>): Promise<T> {
  return withRepository(place, options, READING, async (repository) =>
    run(options.at === undefined ? repository : repository.at(options.at)),
  );
}

/** A repository for one change of it, with what the options say of the revision. */
export function withChange<T>(
  shell: Shell,
  place: string,
  options: PlaceOptions & CommitOptions,
  open: OpenOptions,
  run: (repository: Repository, change: Change & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const { message, author, durability, upgrade } = options;
  refuseLocal(place, { author, durability, 'no-upgrade': upgrade ? undefined : true });
  const how = { ...open, create: false, logger: warnings(shell), upgrade, ...given({ durability }) } as const;
  return withRepository(place, options, how, (repository) =>
    run(repository, { signal: shell.signal, ...given({ message, author }) }),
  );
}

/** Prints what a change would do. */
export const showPreview = (
  { stdout }: Shell,
  { added, removed }: ChangePreview,
  { json }: Pick<CommonOptions, 'json'>,
): Promise<void> =>
  json === true ? stdout.json({ added, removed }) : stdout.line(`+${String(added)} -${String(removed)}`);

/** Prints the revision of a change. */
export async function showRevision(
  { stdout }: Shell,
  revision: Revision,
  { json }: Pick<CommonOptions, 'json'>,
): Promise<void> {
  await (json === true ? stdout.json(revision) : stdout.line(revisionLine(revision)));
}
