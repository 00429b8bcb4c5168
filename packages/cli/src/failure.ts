/** Error messages: a line for people, or a JSON object for programs. Stack traces only in debug mode. */
import { type ParseError, QuadrilleError } from '@quadrille/model';
import { CommanderError } from 'commander';
import { withoutSecrets } from './secrets.js';

export interface FailureText {
  readonly error: string;
  readonly code: string;
  readonly line?: number;
  readonly column?: number;
  readonly details?: object;
}

/** Packages outside the bundle of the command, such as the benchmark, have error classes of their own with the same members. */
export const isOfQuadrille = (error: unknown): error is QuadrilleError =>
  error instanceof QuadrilleError ||
  (error instanceof Error && 'details' in error && 'code' in error && typeof error.code === 'string');

export function failureOf(error: unknown): FailureText {
  if (error instanceof CommanderError) {
    return { error: oneLine(error.message.replace(/^error: /, '')), code: 'INVALID_OPTION' };
  }
  if (isOfQuadrille(error)) {
    const details = Object.fromEntries(Object.entries(error.details).filter(([, value]) => value !== undefined));
    const { line, column } = error as Partial<ParseError>;
    return {
      error: error.message,
      code: error.code,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNEXPECTED';
  return { error: error instanceof Error ? error.message : String(error), code };
}

/** The text for standard error. No URL in it shows a password. */
export function printFailure(error: unknown, json: boolean, debug: boolean): string {
  const failure = failureOf(error);
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}${causes(error)}\n` : '';
  if (json) return withoutSecrets(`${JSON.stringify(failure)}\n${stack}`);
  return withoutSecrets(`quadrille: ${oneLine(failure.error)} (${failure.code})\n${stack}`);
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

function causes(error: Error): string {
  let text = '';
  for (let at = error.cause; at instanceof Error; at = at.cause) text += `\ncaused by ${at.stack ?? at.message}`;
  return text;
}
