/**
 * The one error family of Quadrille. Every public error is a {@link QuadrilleError} with a stable `code`;
 * the codes with cause and remedy stand in docs/reference/errors.md and are never reused.
 */

export type InvalidArgumentCode =
  'INVALID_TERM' | 'INVALID_OPTION' | 'INVALID_PATTERN' | 'INVALID_NAME' | 'INVALID_REF' | 'UNSUPPORTED_FORMAT';
export type ParseCode = 'RDF_SYNTAX' | 'SPARQL_SYNTAX';
export type EvaluationCode =
  | 'UNSUPPORTED'
  | 'UNKNOWN_FUNCTION'
  | 'SERVICE_FAILED'
  | 'QUERY_TIMEOUT'
  | 'QUERY_QUEUE_FULL'
  | 'ABORTED'
  | 'QUERY_MEMORY'
  | 'RESULT_TOO_LARGE'
  | 'THREAD_FAILED';
export type NotFoundCode =
  | 'REVISION_NOT_FOUND'
  | 'REVISION_TRIMMED'
  | 'REPOSITORY_NOT_FOUND'
  | 'REPOSITORY_DELETED'
  | 'ACCOUNT_NOT_FOUND'
  | 'STORE_NOT_FOUND'
  | 'TAG_NOT_FOUND'
  | 'INPUT_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'JOB_NOT_FOUND'
  | 'VIEW_NOT_FOUND'
  | 'QUERY_NOT_FOUND'
  | 'TRANSACTION_NOT_FOUND';
export type ConflictCode =
  | 'REVISION_CONFLICT'
  | 'PATCH_CONFLICT'
  | 'HISTORY_DIVERGED'
  | 'PRECONDITION_FAILED'
  | 'ALREADY_EXISTS'
  | 'ACCOUNT_NOT_EMPTY';
export type StateCode =
  | 'STORE_NOT_OPEN'
  | 'STORE_LOCKED'
  | 'NOT_A_STORE'
  | 'NOT_A_BACKUP'
  | 'BACKUP_MISMATCH'
  | 'READ_ONLY'
  | 'SNAPSHOT_CLOSED';
export type StorageCode = 'STORAGE_IO' | 'STORAGE_FULL' | 'STORAGE_LIMIT';
export type FetchCode = 'URL_NOT_ALLOWED' | 'BLOCKED_ADDRESS' | 'FETCH_FAILED' | 'FETCH_TIMEOUT' | 'FETCH_TOO_LARGE';
export type AccessCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'RATE_LIMITED';
export type LimitCode = 'INPUT_TOO_LARGE' | 'INPUT_TIMEOUT' | 'QUOTA_EXCEEDED';
export type RecordCode = 'INVALID_RECORD';
export type RpcErrorCode =
  'RPC_PARSE_ERROR' | 'RPC_INVALID_REQUEST' | 'RPC_METHOD_NOT_FOUND' | 'RPC_INVALID_PARAMS' | 'RPC_INTERNAL_ERROR';
export type CorruptionCode =
  'CHECKSUM' | 'INDEX_DISAGREES' | 'UNKNOWN_ID' | 'LOG_BROKEN' | 'FORMAT_VERSION' | 'BACKUP_DAMAGED';

export type ErrorCode =
  | InvalidArgumentCode
  | ParseCode
  | EvaluationCode
  | NotFoundCode
  | ConflictCode
  | StateCode
  | StorageCode
  | FetchCode
  | AccessCode
  | LimitCode
  | RecordCode
  | RpcErrorCode
  | CorruptionCode;

/** What an error carries beside its text: plain values that a program can use. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ErrorOptions {
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/** Base of every error that Quadrille throws on purpose. */
export abstract class QuadrilleError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;

  constructor(code: Code, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** The caller gave something that cannot be used: a term, an option, a name. Nothing was changed. */
export class InvalidArgumentError extends QuadrilleError<InvalidArgumentCode> {}

/** Where in its input a {@link ParseError} stands. Lines and columns count from 1, offsets (bytes) from 0. */
export interface ParsePosition {
  readonly source?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly offset?: number | undefined;
}

/** A document or a query is not well formed; says where. Nothing was changed. */
export class ParseError extends QuadrilleError<ParseCode> {
  readonly source: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly offset: number | undefined;
  /** The message without its position. */
  readonly reason: string;

  constructor(code: ParseCode, reason: string, position: ParsePosition = {}, options: { cause?: unknown } = {}) {
    const { source, line, column, offset } = position;
    const short = reason.length > 200 ? `${reason.slice(0, 200)}…` : reason;
    const place = [source, line, column].filter((part) => part !== undefined).join(':');
    super(code, place === '' ? short : `${place}: ${short}`, {
      ...options,
      details: { source, line, column, offset },
    });
    this.reason = short;
    this.source = source;
    this.line = line;
    this.column = column;
    this.offset = offset;
  }
}

/** A query or update could not be evaluated. `details.retryAfter` has seconds for `QUERY_QUEUE_FULL`. */
export class EvaluationError extends QuadrilleError<EvaluationCode> {}

/** The thing that was named does not exist. */
export class NotFoundError extends QuadrilleError<NotFoundCode> {}

/** Somebody else was first, or a condition of the caller does not hold. Nothing was changed. */
export class ConflictError extends QuadrilleError<ConflictCode> {}

/** The store, or a handle of it, is not in the state that the call needs. */
export class StateError extends QuadrilleError<StateCode> {}

/** The storage below failed: input/output, no space, a limit of the backend. */
export class StorageError extends QuadrilleError<StorageCode> {}

/** Another host was not asked, or did not give what it was asked for. */
export class FetchError extends QuadrilleError<FetchCode> {}

/** Who asks is not known, may not do this, or asked too often. `details.retryAfter` has seconds for `RATE_LIMITED`. */
export class AccessError extends QuadrilleError<AccessCode> {}

/** A limit that the operator set. Nothing was changed. */
export class LimitError extends QuadrilleError<LimitCode> {}

/** A record that somebody sent cannot be kept as it is; says why, by field. Nothing was changed. */
export class InvalidRecordError extends QuadrilleError<RecordCode> {
  constructor(
    readonly fields: Readonly<Record<string, readonly string[]>>,
    options: { cause?: unknown } = {},
  ) {
    const [field = 'record', problems = []] = Object.entries(fields)[0] ?? [];
    super('INVALID_RECORD', `${field} ${problems[0] ?? 'is not possible'}`, { ...options, details: { field } });
  }
}

/** Stored data are not what was written. Never retried, never repaired in silence. */
export class CorruptionError extends QuadrilleError<CorruptionCode> {}
