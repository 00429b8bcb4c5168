/** Files that a query names: `FROM <file:people.ttl>`, `SERVICE <file:people.csv>`. Each is a repository in memory while the query runs. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FetchError, iri } from '@quadrille/model';
import type { Database, QueryOptions, ReadView, Repository } from 'quadrille';
import { given } from '../options.js';
import type { Shell } from '../shell.js';
import { type DocumentOptions, isTable, readDocument } from './document-place.js';

/** The account of such repositories: a place has no such name by chance. */
const ACCOUNT = 'file-of-a-query';

/** Texts and comments, which name nothing; FROM and SERVICE with a file; any other IRI. */
const TOKENS =
  /"{3}[^]*?"{3}|'{3}[^]*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*|(?<![\w?$:@-])(FROM|SERVICE(?:\s+SILENT)?)(\s*)<(file:[^<>"{}|^`\\\s]+)>|<[^<>"{}|^`\\\s]*>/gi;

interface NamedFile {
  readonly address: string;
  /** FROM, not SERVICE. */
  readonly isGraph: boolean;
  /** Of SERVICE SILENT: the query goes on without it. */
  readonly isSilent: boolean;
}

function filesIn(text: string): readonly NamedFile[] {
  return [...text.matchAll(TOKENS)].flatMap(([, word, , address]) =>
    address === undefined ? [] : [{ address, isGraph: /^from$/i.test(word!), isSilent: /silent$/i.test(word!) }],
  );
}

/** The addresses of the files that a query names, each once. */
export const namedFiles = (text: string): readonly string[] => [
  ...new Set(filesIn(text).map(({ address }) => address)),
];

/** The path of a file; one that does not begin with a slash is within the working folder. */
const pathOf = (address: string): string => fileURLToPath(new URL(address, pathToFileURL(`${process.cwd()}/`)));

export interface FileQuery {
  readonly shell: Shell;
  readonly database: Database;
  /** What is asked, of this repository. */
  readonly view: ReadView;
  readonly repository: Repository;
  readonly options: DocumentOptions & { readonly safe?: boolean };
  /** Of the query itself. */
  readonly timeoutMs: number | undefined;
}

/**
 * Runs a query whose files are read. A graph of this name that the place has is meant first.
 * @throws FetchError `URL_NOT_ALLOWED` with `--safe`; the errors of `load`
 */
export async function withNamedFiles<T>(
  text: string,
  { shell, database, view, repository, options, timeoutMs }: FileQuery,
  run: (text: string, how: QueryOptions) => Promise<T>,
): Promise<T> {
  const named = filesIn(text);
  const how = { signal: shell.signal, ...given({ timeoutMs }) };
  if (named.length === 0) return run(text, how);
  // What is wrong with the query has its place in the text that was given.
  await view.prepare(text);
  const { open } = await import('quadrille');
  const files = await open(':memory:');
  const repositories = new Map<string, string>();
  try {
    for (const { address, isGraph, isSilent } of named) {
      if (repositories.has(address) || (isGraph && (await view.has({ graph: iri(address) })))) continue;
      const name = `${ACCOUNT}/${String(repositories.size + 1)}`;
      const reading = readNamed(shell, await files.repository(name, { create: true }), address, options);
      const isRead = await reading.then(
        () => true,
        (error: unknown) => {
          if (!isSilent) throw error;
        },
      );
      if (isRead === true) repositories.set(address, name);
    }
    if (repositories.size === 0) return await run(text, how);
    const opened = (name: string): Promise<Repository> =>
      name.startsWith(`${ACCOUNT}/`) ? files.repository(name) : database.repository(name);
    const task = await database.begin({
      ...how,
      kind: 'query',
      text,
      repository: repository.name,
      repositories: opened,
    });
    task.control.startClock();
    try {
      return await run(renamed(text, repositories), { task });
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
const renamed = (text: string, repositories: ReadonlyMap<string, string>): string =>
  text.replace(TOKENS, (token, word?: string, space = '', address = '') => {
    const name = repositories.get(address as string);
    return name === undefined ? token : `${word!}${space as string}<repo:${name}>`;
  });
