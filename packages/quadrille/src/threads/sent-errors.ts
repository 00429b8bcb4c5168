/** Errors as plain values, for another thread. */
import {
  AccessError,
  ConflictError,
  CorruptionError,
  EvaluationError,
  FetchError,
  InvalidArgumentError,
  LimitError,
  NotFoundError,
  ParseError,
  QuadrilleError,
  StateError,
  StorageError,
} from '@quadrille/model';
import type { ErrorCode, ErrorDetails, ErrorOptions } from '@quadrille/model';

export interface SentError {
  /** Name of the class. */
  readonly name: string;
  readonly message: string;
  readonly code: ErrorCode | undefined;
  readonly details: ErrorDetails;
}

type Make = new (code: never, message: string, options: ErrorOptions) => QuadrilleError;

const CLASSES: Readonly<Record<string, Make>> = {
  AccessError,
  ConflictError,
  CorruptionError,
  EvaluationError,
  FetchError,
  InvalidArgumentError,
  LimitError,
  NotFoundError,
  StateError,
  StorageError,
};

export function sendError(error: unknown): SentError {
  if (error instanceof QuadrilleError) {
    const { name, code, details } = error;
    return { name, code, details, message: error instanceof ParseError ? error.reason : error.message };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { name: 'Error', message, code: undefined, details: {} };
}

/** The same error. One that is not of the library becomes an EvaluationError. */
export function receiveError({ name, code, message, details }: SentError): Error {
  if (name === 'ParseError') return new ParseError(code as ParseError['code'], message, details);
  const Class = CLASSES[name];
  if (Class !== undefined) return new Class(code as never, message, { details });
  return new EvaluationError('UNSUPPORTED', `the request could not be evaluated: ${message}`);
}
