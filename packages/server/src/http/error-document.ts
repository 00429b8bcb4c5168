/** The document about an error for clients. */
import { ConflictError, InvalidRecordError, QuadrilleError, StorageError } from '@quadrille/model';
import { publicError } from '../host/index.js';
import type { MergeConflict } from 'quadrille';
import { accessFields } from './access-fields.js';
import { conflictRecords } from './conflict-records.js';
import { knownError, statusOf } from './error-status.js';
import { HttpError } from './http-error.js';

/** Internal details are left out. The log has them with the same `requestId`. */
export interface ErrorDocument {
  /** The message for people. */
  readonly error: string;
  /** A code of `docs/reference/errors.md`. */
  readonly code: string;
  /** Status of HTTP. */
  readonly status: number;
  /** Identifies the request in the log. */
  readonly requestId: string;
  /** Number of the line of a syntax error, from 1. */
  readonly line?: number;
  /** Number of the column of a syntax error, from 1. */
  readonly column?: number;
  /** The problems of each field of a record. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /**
   * Of `MERGE_CONFLICT`: `count`, the number of conflicts, and the first 100 of them as `conflicts`. Of `INVALID_PARAMETER`:
   * `parameter`, its name.
   */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The body and the headers that tell an error. */
export function errorDocument(
  error: unknown,
  requestId: string,
): {
  /** The body. */
  readonly document: ErrorDocument;
  /** The headers. */
  readonly headers: Readonly<Record<string, string>>;
} {
  const known = knownError(error);
  const status = statusOf(error);
  if (known instanceof HttpError) {
    const { message, code, details, headers } = known;
    return { document: { error: message, code, status, requestId, ...(details && { details }) }, headers };
  }
  const { code, message } = publicError(known);
  return {
    document: { error: message, code, status, requestId, ...placeOf(known), ...fieldsOf(known), ...conflictsOf(known) },
    headers: known === undefined ? {} : { ...retryOf(known), ...accessFields(known.code, known.details['retryAfter']) },
  };
}

/** A store that is away for a moment, or that another server writes; or a repository that is being moved, which takes longer. */
function retryOf(error: QuadrilleError): Readonly<Record<string, string>> {
  if (error.code === 'REPOSITORY_MOVING') return { 'Retry-After': '10' };
  return error instanceof StorageError && statusOf(error) === 503 ? { 'Retry-After': '1' } : {};
}

function placeOf(error: unknown): Pick<ErrorDocument, 'line' | 'column'> {
  if (!(error instanceof QuadrilleError)) return {};
  const { line, column } = error.details;
  return { ...(typeof line === 'number' ? { line } : {}), ...(typeof column === 'number' ? { column } : {}) };
}

const fieldsOf = (error: unknown): Pick<ErrorDocument, 'errors'> =>
  error instanceof InvalidRecordError ? { errors: error.fields } : {};

function conflictsOf(error: unknown): Pick<ErrorDocument, 'details'> {
  if (!(error instanceof ConflictError) || error.code !== 'MERGE_CONFLICT') return {};
  const { conflicts = [] } = error as Partial<MergeConflict>;
  return { details: { count: error.details['count'] as number, conflicts: conflictRecords(conflicts) } };
}
