/** The HTTP status of an error. Only this file maps codes to statuses. */
import { type ErrorCode, QuadrilleError } from '@quadrille/model';
import { HttpError } from './http-error.js';

const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_TERM: 400,
  INVALID_OPTION: 400,
  INVALID_PATTERN: 400,
  INVALID_NAME: 400,
  INVALID_REF: 400,
  INVALID_VECTOR: 400,
  NOT_A_QUERY: 400,
  NOT_AN_UPDATE: 400,
  UNSUPPORTED_FORMAT: 415,
  RDF_SYNTAX: 400,
  SPARQL_SYNTAX: 400,
  TEXT_SYNTAX: 400,
  UNSUPPORTED: 400,
  UNKNOWN_FUNCTION: 400,
  SERVICE_FAILED: 503,
  QUERY_TIMEOUT: 503,
  QUERY_QUEUE_FULL: 503,
  ABORTED: 503,
  QUERY_MEMORY: 507,
  THREAD_FAILED: 500,
  RESULT_TOO_LARGE: 413,
  REVISION_NOT_FOUND: 404,
  REVISION_TRIMMED: 410,
  NOTHING_TO_ERASE: 404,
  REPOSITORY_NOT_FOUND: 404,
  BRANCH_NOT_FOUND: 404,
  REPOSITORY_DELETED: 404,
  REPOSITORY_MOVED: 410,
  REPOSITORY_MOVING: 503,
  ACCOUNT_NOT_FOUND: 404,
  STORE_NOT_FOUND: 503,
  STORE_UNAVAILABLE: 503,
  STORE_ACCESS: 503,
  HOST_UNSUITABLE: 502,
  STORE_UNSAFE: 500,
  COMMIT_UNKNOWN: 503,
  LEASE_LOST: 503,
  STALE_READ: 503,
  HISTORY_LOST: 500,
  SNAPSHOT_EXPIRED: 410,
  TAG_NOT_FOUND: 404,
  INPUT_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  VIEW_NOT_FOUND: 404,
  QUERY_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  REVISION_CONFLICT: 409,
  REPOSITORY_BUSY: 503,
  PATCH_CONFLICT: 409,
  HISTORY_DIVERGED: 409,
  BRANCH_NOT_MERGED: 409,
  MERGE_CONFLICT: 409,
  BRANCH_DEFAULT: 409,
  NO_INDEX: 409,
  PRECONDITION_FAILED: 412,
  ALREADY_EXISTS: 422,
  ACCOUNT_NOT_EMPTY: 409,
  STORE_NOT_OPEN: 503,
  STORE_LOCKED: 503,
  SERVER_DUPLICATE: 503,
  NOT_A_STORE: 503,
  NOT_A_BACKUP: 422,
  NOT_EMPTY: 409,
  PUBLISHED_OTHER: 409,
  BACKUP_MISMATCH: 409,
  READ_ONLY: 403,
  SNAPSHOT_CLOSED: 503,
  WOULD_WAIT: 503,
  STORAGE_IO: 503,
  STORAGE_FULL: 507,
  STORAGE_LIMIT: 507,
  URL_NOT_ALLOWED: 400,
  BLOCKED_ADDRESS: 403,
  FETCH_FAILED: 502,
  FETCH_TIMEOUT: 504,
  FETCH_TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  FOREIGN_ORIGIN: 403,
  RATE_LIMITED: 429,
  INPUT_TOO_LARGE: 413,
  INPUT_TIMEOUT: 408,
  QUOTA_EXCEEDED: 403,
  INVALID_RECORD: 422,
  RPC_PARSE_ERROR: 400,
  RPC_INVALID_REQUEST: 400,
  RPC_METHOD_NOT_FOUND: 404,
  RPC_INVALID_PARAMS: 400,
  RPC_INTERNAL_ERROR: 500,
  CHECKSUM: 500,
  INDEX_DISAGREES: 500,
  UNKNOWN_ID: 500,
  LOG_BROKEN: 500,
  BACKUP_DAMAGED: 500,
  CHAIN_BROKEN: 500,
  SIGNATURE_INVALID: 500,
  SIGNATURE_MISSING: 500,
  FORMAT_VERSION: 500,
  SHAPES_VIOLATED: 422,
  SHAPES_INVALID: 422,
  SHAPES_TIMEOUT: 503,
};

/** The error that decides the status: an HttpError in the chain of causes, else the first QuadrilleError. The library may wrap the
 * error of a request body. */
export function knownError(error: unknown): HttpError | QuadrilleError | undefined {
  let found: QuadrilleError | undefined;
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof HttpError) return at;
    if (found === undefined && at instanceof QuadrilleError) found = at;
  }
  return found;
}

/** The status of an answer to this error. */
export function statusOf(error: unknown): number {
  const known = knownError(error);
  if (known === undefined) return 500;
  if (known instanceof HttpError) return known.status;
  // What a line of a document asks for, as opposed to the request itself; and a history file that is damaged, as opposed to the store.
  const ofLine = known.code === 'UNSUPPORTED' || known.code === 'LOG_BROKEN';
  if (ofLine && known.details['line'] !== undefined) return 422;
  // A program in JavaScript may throw an error with a code of its own. Without a status, the answer would be 200.
  return (STATUS as Partial<Record<string, number>>)[known.code] ?? 500;
}
