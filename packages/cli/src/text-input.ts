/** The text of a query or an update: from the command line, a file, or standard input. */
import { access, constants, readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';

/** @throws InvalidArgumentError where there is no text, or two. */
export async function sparqlInput(argument: string | undefined, file: string | undefined): Promise<string> {
  if (argument !== undefined && file !== undefined) throw usage('give the text or --file, not both');
  if (argument === '-' || file === '-') return readAll(process.stdin);
  if (argument !== undefined) return argument;
  if (file === undefined) throw usage('give the text as an argument, as --file <path>, or as - for standard input');
  return readInput(file);
}

export async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw inputMissing(file, error);
  }
}

const usage = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', message);

export function inputMissing(file: string, cause: unknown): NotFoundError {
  const reason = cause instanceof Error && 'code' in cause && cause.code !== 'ENOENT' ? `: ${cause.message}` : '';
  return new NotFoundError('INPUT_NOT_FOUND', `cannot read the file ${file}${reason}`, { cause, details: { file } });
}

/** @throws NotFoundError `INPUT_NOT_FOUND` */
export async function checkReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
  } catch (error) {
    throw inputMissing(file, error);
  }
}
