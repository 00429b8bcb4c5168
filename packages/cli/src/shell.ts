/** The environment of a command: output streams, signal, and access to stores. */
import type { Database, Logger, OpenOptions, ReadView, Repository } from 'quadrille';
import { allFormats } from './formats.js';
import { Output } from './output.js';
import { withoutSecrets } from './secrets.js';

export interface Shell {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  readonly columns: number;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly setExitCode: (code: number) => void;
}

/** Options that most commands share. */
export interface CommonOptions {
  readonly repository: string;
  readonly branch?: string;
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
  const { open } = await import('quadrille');
  if (options.readOnly !== true) await allFormats();
  const database = await open(location, options);
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

/** Options of commands that only read. An LMDB store may be open in another process then. */
export const READING = { create: false, readOnly: true } as const;

/** The repository of the options, on the branch of `--branch`. */
export async function repositoryOf(
  database: Database,
  { repository: name, branch }: Pick<CommonOptions, 'repository' | 'branch'>,
  options: { readonly create?: boolean } = {},
): Promise<Repository> {
  const repository = await database.repository(name, options);
  return branch === undefined ? repository : repository.branches.open(branch);
}

/** A repository of a store, both of which have to exist. */
export function withRepository<T>(
  location: string,
  options: CommonOptions,
  open: OpenOptions & { readonly create: false },
  run: (repository: Repository) => Promise<T>,
): Promise<T> {
  return withDatabase(location, open, async (database) => run(await repositoryOf(database, options)));
}

/** A repository at the revision of `--at`. */
export function withView<T>(
  location: string,
  options: ReadingOptions,
  run: (view: ReadView) => Promise<T>,
): Promise<T> {
  return withRepository(location, options, READING, async (repository) =>
    run(options.at === undefined ? repository : repository.at(options.at)),
  );
}
