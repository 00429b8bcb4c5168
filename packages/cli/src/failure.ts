/** Error messages: a line for people, or a JSON object for programs. Stack traces only in debug mode. */
import { ParseError, QuadrilleError } from '@quadrille/model';
import { CommanderError } from 'commander';

export interface FailureText {
  readonly error: string;
  readonly code: string;
  readonly line?: number;
  readonly column?: number;
  readonly details?: object;
}

export function failureOf(error: unknown): FailureText {
  if (error instanceof CommanderError) {
    return { error: oneLine(error.message.replace(/^error: /, '')), code: 'INVALID_OPTION' };
  }
  if (error instanceof QuadrilleError) {
    const details = Object.fromEntries(Object.entries(error.details).filter(([, value]) => value !== undefined));
    return {
      error: error.message,
      code: error.code,
      ...(error instanceof ParseError && error.line !== undefined ? { line: error.line } : {}),
      ...(error instanceof ParseError && error.column !== undefined ? { column: error.column } : {}),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNEXPECTED';
  return { error: error instanceof Error ? error.message : String(error), code };
}

/** The text for standard error. */
export function printFailure(error: unknown, json: boolean, debug: boolean): string {
  const failure = failureOf(error);
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}${causes(error)}\n` : '';
  if (json) return `${JSON.stringify(failure)}\n${stack}`;
  return `quadrille: ${oneLine(failure.error)} (${failure.code})\n${stack}`;
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

function causes(error: Error): string {
  let text = '';
  for (let at = error.cause; at instanceof Error; at = at.cause) text += `\ncaused by ${at.stack ?? at.message}`;
  return text;
}
