/** `quadrille load` to a repository of a server: files, one revision each. */
import { repositoryAt, Requests } from '@quadrille/client';
import { InvalidArgumentError } from '@quadrille/model';
import { allFormats, rdfType } from '../formats.js';
import { revisionLine } from '../lines.js';
import type { Shell } from '../shell.js';
import { serverToken } from './server-token.js';
import { serverOf, uploadFile } from './upload.js';

export interface ServerLoadOptions {
  readonly tokenFile?: string | undefined;
  readonly branch?: string | undefined;
  readonly format?: string;
  readonly replace?: boolean;
  readonly message?: string;
  readonly json?: boolean;
  /** Parameters of the address, such as `context` and `on-error`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** The repository has to exist. */
export async function loadToServer(
  shell: Shell,
  address: string,
  files: readonly string[],
  options: ServerLoadOptions,
): Promise<void> {
  const { tokenFile, branch, parameters, message } = options;
  const token = await serverToken(tokenFile);
  const repository = repositoryAt(address, { branch, token });
  const requests = new Requests({ url: repository.url, branch, token });
  for (const file of files) {
    if (file === '-')
      throw new InvalidArgumentError('INVALID_OPTION', 'standard input cannot be read again after a broken connection');
    const { revision, job, problems } = await uploadFile(requests, {
      file,
      parameters,
      method: options.replace === true ? 'PUT' : 'POST',
      mediaType: await typeOf(file, options.format),
      message,
      signal: shell.signal,
      onResume: (bytes) => {
        const text = `quadrille: the connection was lost; ${file} goes on at byte ${String(bytes)}`;
        shell.stderr.line(text).catch(() => undefined);
      },
    });
    if (problems > 0) await tellProblems(shell, serverOf(requests), file, job);
    const record = await repository.at(revision).revision();
    await (options.json === true ? shell.stdout.json(record) : shell.stdout.line(`${file}: ${revisionLine(record)}`));
  }
}

async function typeOf(file: string, format: string | undefined): Promise<string> {
  if (format !== undefined) return rdfType(format);
  const { format: found } = (await allFormats()).byExtension(file);
  return found.mediaTypes[0]!;
}

async function tellProblems(shell: Shell, server: Requests, file: string, job: string): Promise<void> {
  const problems = await server.json<{ line: number; column: number; message: string }[]>({
    path: `${job}/problems`,
  });
  for (const { line, column, message } of problems)
    await shell.stderr.line(`quadrille: skipped ${file}:${String(line)}:${String(column)}: ${message}`);
}
