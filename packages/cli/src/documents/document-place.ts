/** A file in the place of a store: an RDF document that is in memory for one command. */
import { stat } from 'node:fs/promises';
import { tableKindOfFile } from '@quadrille/model/endings';
import { InvalidArgumentError } from '@quadrille/model';
import type { Database, LoadedRevision, OpenOptions, Repository } from 'quadrille';
import { allFormats } from '../formats.js';
import { type ContextOptions, contextFetcher, contextFiles } from './json-ld-contexts.js';
import { inMapping } from './mapping-error.js';
import { DEFAULT_REPOSITORY, given } from '../options.js';
import { readInput } from '../text-input.js';
import { isServer } from '../server/server-place.js';
import { READING, type ReadingOptions, type Shell, withRepository } from '../shell.js';

/** Options of a command that reads stores and documents. */
export interface DocumentOptions extends ReadingOptions, ContextOptions {
  /** The file of the mapping of a table. */
  readonly mapping?: string;
  /** Files that the query names besides. */
  readonly files?: readonly string[];
}

/** What a command does with a repository, and with its database where that is none of a server. */
type Reading<T> = (repository: Repository, database?: Database) => Promise<T>;

/** Whether a place is a file. Anything else is that of a store, which says what is wrong with it. */
async function isDocument(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isFile() === true;
}

/**
 * A repository that is read: of a store, of a server, or of a document.
 * @throws InvalidArgumentError `INVALID_OPTION` for options that do not go with the place
 */
export async function withSource<T>(
  shell: Shell,
  place: string,
  options: DocumentOptions,
  opening: OpenOptions,
  run: Reading<T>,
): Promise<T> {
  if (!isServer(place) && (await isDocument(place))) return withDocument(shell, place, options, opening, run);
  if (options.context !== undefined)
    throw new InvalidArgumentError('INVALID_OPTION', '--context is for a query of a file');
  if (options.mapping !== undefined && !(options.files ?? []).some(isTable))
    throw new InvalidArgumentError('INVALID_OPTION', '--mapping is for a query of a table');
  return withRepository(place, options, { ...opening, ...READING }, run);
}

/**
 * Loads a document into memory, and runs a function with its repository.
 * @throws InvalidArgumentError `INVALID_OPTION` for options that need a history; the errors of `load`
 */
async function withDocument<T>(
  shell: Shell,
  file: string,
  options: DocumentOptions,
  opening: OpenOptions,
  run: Reading<T>,
): Promise<T> {
  if ((options.at ?? options.branch ?? options.repository) !== undefined)
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `--at, --branch and --repository are for stores: ${file} is one document`,
    );
  const { open } = await import('quadrille');
  const database = await open(':memory:', opening);
  try {
    const repository = await database.repository(DEFAULT_REPOSITORY, { create: true });
    // The mapping may be for a table that the query names.
    const isForOther = !isTable(file) && (options.files ?? []).some(isTable);
    await readDocument(shell, repository, file, isForOther ? { ...options, mapping: undefined } : options);
    return await run(repository, database);
  } finally {
    await database.close();
  }
}

/** Whether a file is one of those that need a mapping. */
export const isTable = (file: string): boolean => tableKindOfFile(file) !== undefined;

/** Loads a document, or a table with a mapping. @throws the errors of `load` */
export async function readDocument(
  shell: Shell,
  repository: Repository,
  file: string,
  options: ContextOptions & { readonly mapping?: string | undefined },
): Promise<void> {
  await allFormats();
  const contexts = await contextFiles(options);
  const mapping = options.mapping === undefined ? undefined : await readInput(options.mapping);
  const reading = given({ contexts, mapping, loadDocument: contextFetcher(shell, options) });
  const loaded = await repository.load(file, { ...reading, signal: shell.signal }).catch((error: unknown) => {
    throw inMapping(error, options.mapping);
  });
  await tellDropped(shell, file, loaded);
}

/** Tells on standard error what a document has that is no RDF. */
export async function tellDropped(shell: Shell, file: string, { dropped }: LoadedRevision): Promise<void> {
  if (dropped === undefined) return;
  const [first] = dropped.first;
  const statements = dropped.count === 1 ? 'statement' : 'statements';
  const shown = first === undefined ? '' : ` (first: ${first.path === '' ? '' : `${first.path}: `}${first.reason})`;
  await shell.stderr.line(`quadrille: ${file}: ${String(dropped.count)} ${statements} left out${shown}`);
}
