/** `quadrille load --server`: files into a repository of a server, one revision each. */
import { InvalidArgumentError } from '@quadrille/model';
import { allFormats, rdfType } from '../formats.js';
import { revisionLine } from '../lines.js';
import type { Shell } from '../shell.js';
import { askJson, serverPath, type ServerOptions } from './ask-server.js';
import { revisionOf, type RevisionRecord } from './revision-record.js';
import { uploadFile } from './upload.js';

export interface ServerLoadOptions extends ServerOptions {
  readonly repository: string;
  readonly format?: string;
  readonly replace?: boolean;
  readonly message?: string;
  readonly json?: boolean;
  /** Parameters of the address, such as `context` and `on-error`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** The repository has to exist. */
export async function loadToServer(shell: Shell, files: readonly string[], options: ServerLoadOptions): Promise<void> {
  const repository = options.repository.split('/');
  const query = Object.entries(options.parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const path = `${serverPath(...repository, 'statements')}?${new URLSearchParams(query).toString()}`;
  for (const file of files) {
    if (file === '-')
      throw new InvalidArgumentError('INVALID_OPTION', 'standard input cannot be read again after a broken connection');
    const { revision, job, problems } = await uploadFile(options, {
      file,
      path,
      method: options.replace === true ? 'PUT' : 'POST',
      mediaType: await typeOf(file, options.format),
      message: options.message,
      signal: shell.signal,
      onResume: (bytes) => {
        const text = `quadrille: the connection was lost; ${file} goes on at byte ${String(bytes)}`;
        shell.stderr.line(text).catch(() => undefined);
      },
    });
    if (problems > 0) await tellProblems(shell, options, file, job);
    const record = await askJson<RevisionRecord>(options, {
      method: 'GET',
      path: serverPath(...repository, 'revisions', revision),
    });
    await (options.json === true
      ? shell.stdout.json(record)
      : shell.stdout.line(`${file}: ${revisionLine(revisionOf(record))}`));
  }
}

async function typeOf(file: string, format: string | undefined): Promise<string> {
  if (format !== undefined) return rdfType(format);
  const { format: found } = (await allFormats()).byExtension(file);
  return found.mediaTypes[0]!;
}

async function tellProblems(shell: Shell, server: ServerOptions, file: string, job: string): Promise<void> {
  const problems = await askJson<{ line: number; column: number; message: string }[]>(server, {
    method: 'GET',
    path: `${job}/problems`,
  });
  for (const { line, column, message } of problems)
    await shell.stderr.line(`quadrille: skipped ${file}:${String(line)}:${String(column)}: ${message}`);
}
