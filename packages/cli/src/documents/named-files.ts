/** Files that a query names: `FROM <file:people.ttl>`, `SERVICE <file:people.csv>`. Each is a repository in memory while the query runs. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FetchError, iri } from '@quadrille/model';
import type { Database, NamedSource, ReadView, Repository } from 'quadrille';
import { hostOf, type HostQueryOptions } from 'quadrille/host';
import { given } from '../options.js';
import type { Shell } from '../shell.js';
import { type DocumentOptions, isTable, readDocument } from './document-place.js';

/** The account of such repositories: a place has no such name by chance. */
const ACCOUNT = 'file-of-a-query';

/** The files that a query names, where it names them. A text without the scheme is not read for that. */
export async function namedFiles(text: string): Promise<readonly NamedSource[]> {
  if (!/file:/i.test(text)) return [];
  const { sources } = await (await import('quadrille')).inspectSparql(text);
  return sources.filter(({ iri }) => /^file:/i.test(iri));
}

/** The path of a file; one that does not begin with a slash is within the working folder. */
const pathOf = (address: string): string => fileURLToPath(new URL(address, pathToFileURL(`${process.cwd()}/`)));

export interface FileQuery {
  readonly shell: Shell;
  readonly database: Database;
  /** What is asked, of this repository. */
  readonly view: ReadView;
  readonly repository: Repository;
  /** What the query names, see {@link namedFiles}. */
  readonly named: readonly NamedSource[];
  readonly options: DocumentOptions;
  /** Of the query itself. */
  readonly timeoutMs: number | undefined;
}

/**
 * Runs a query whose files are read. A graph of this name that the place has is meant first.
 * @throws FetchError `URL_NOT_ALLOWED` with `--safe`; the errors of `load`
 */
export async function withNamedFiles<T>(
  text: string,
  { shell, database, view, repository, named, options, timeoutMs }: FileQuery,
  run: (text: string, how: HostQueryOptions) => Promise<T>,
): Promise<T> {
  const how = { signal: shell.signal, ...given({ timeoutMs }) };
  if (named.length === 0) return run(text, how);
  // What is wrong with the query has its place in the text that was given.
  await view.prepare(text);
  const { open } = await import('quadrille');
  const files = await open(':memory:');
  const repositories = new Map<string, string>();
  try {
    for (const { iri: address, clause } of named) {
      const isGraph = clause === 'FROM' && (await view.has({ graph: iri(address) }));
      if (repositories.has(address) || isGraph) continue;
      const name = `${ACCOUNT}/${String(repositories.size + 1)}`;
      const reading = readNamed(shell, await files.repository(name, { create: true }), address, options);
      const isRead = await reading.then(
        () => true,
        (error: unknown) => {
          if (clause !== 'SERVICE SILENT') throw error;
        },
      );
      if (isRead === true) repositories.set(address, name);
    }
    if (repositories.size === 0) return await run(text, how);
    const opened = (name: string): Promise<Repository> =>
      name.startsWith(`${ACCOUNT}/`) ? files.repository(name) : database.repository(name);
    const task = await hostOf(database).begin({
      ...how,
      kind: 'query',
      text,
      repository: repository.name,
      repositories: opened,
    });
    task.control.startClock();
    try {
      return await run(renamed(text, named, repositories), { task });
    } finally {
      task.end();
    }
  } finally {
    await files.close();
  }
}

async function readNamed(
  shell: Shell,
  into: Repository,
  address: string,
  options: FileQuery['options'],
): Promise<void> {
  if (options.safe === true)
    throw new FetchError('URL_NOT_ALLOWED', `the query reads <${address}>, and --safe allows no files`, {
      details: { address },
    });
  const path = pathOf(address);
  return readDocument(shell, into, path, isTable(path) ? options : { ...options, mapping: undefined });
}

/** The query with the addresses of repositories in the place of those of files. */
function renamed(text: string, named: readonly NamedSource[], repositories: ReadonlyMap<string, string>): string {
  let result = text;
  for (const { iri: address, start, end } of named.toReversed()) {
    const name = repositories.get(address);
    if (name !== undefined) result = `${result.slice(0, start)}<repo:${name}>${result.slice(end)}`;
  }
  return result;
}
