/**
 * The one error family of Quadrille. Every public error is a {@link QuadrilleError} with a stable `code`;
 * the codes with cause and remedy stand in docs/reference/errors.md and are never reused.
 */
import type * as RDF from '@rdfjs/types';

/** Codes of {@link InvalidArgumentError}. */
export type InvalidArgumentCode =
  | 'INVALID_TERM'
  | 'INVALID_OPTION'
  | 'INVALID_PATTERN'
  | 'INVALID_NAME'
  | 'INVALID_REF'
  | 'INVALID_VECTOR'
  | 'NOT_A_QUERY'
  | 'NOT_AN_UPDATE'
  | 'UNSUPPORTED_FORMAT';
/** Codes of {@link ParseError}. */
export type ParseCode = 'RDF_SYNTAX' | 'SPARQL_SYNTAX' | 'TEXT_SYNTAX';
/** Codes of {@link EvaluationError}. */
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
/** Codes of {@link NotFoundError}. */
export type NotFoundCode =
  | 'REVISION_NOT_FOUND'
  | 'REVISION_TRIMMED'
  | 'NOTHING_TO_ERASE'
  | 'REPOSITORY_NOT_FOUND'
  | 'REPOSITORY_DELETED'
  | 'REPOSITORY_MOVED'
  | 'ACCOUNT_NOT_FOUND'
  | 'STORE_NOT_FOUND'
  | 'TAG_NOT_FOUND'
  | 'BRANCH_NOT_FOUND'
  | 'INPUT_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'JOB_NOT_FOUND'
  | 'VIEW_NOT_FOUND'
  | 'QUERY_NOT_FOUND'
  | 'TRANSACTION_NOT_FOUND';
/** Codes of {@link ConflictError}. */
export type ConflictCode =
  | 'REVISION_CONFLICT'
  | 'REPOSITORY_BUSY'
  | 'PATCH_CONFLICT'
  | 'HISTORY_DIVERGED'
  | 'BRANCH_NOT_MERGED'
  | 'MERGE_CONFLICT'
  | 'BRANCH_DEFAULT'
  | 'NO_INDEX'
  | 'PRECONDITION_FAILED'
  | 'ALREADY_EXISTS'
  | 'ACCOUNT_NOT_EMPTY';
/** Codes of {@link StateError}. */
export type StateCode =
  | 'STORE_NOT_OPEN'
  | 'STORE_LOCKED'
  | 'SERVER_DUPLICATE'
  | 'NOT_A_STORE'
  | 'NOT_EMPTY'
  | 'PUBLISHED_OTHER'
  | 'NOT_A_BACKUP'
  | 'BACKUP_MISMATCH'
  | 'READ_ONLY'
  | 'REPOSITORY_MOVING'
  | 'SNAPSHOT_CLOSED'
  | 'WOULD_WAIT';
/** Codes of {@link StorageError}. */
export type StorageCode =
  | 'STORAGE_IO'
  | 'STORAGE_FULL'
  | 'STORAGE_LIMIT'
  | 'STORE_UNAVAILABLE'
  | 'HOST_UNSUITABLE'
  | 'STORE_ACCESS'
  | 'STORE_UNSAFE'
  | 'COMMIT_UNKNOWN'
  | 'LEASE_LOST'
  | 'STALE_READ'
  | 'HISTORY_LOST'
  | 'SNAPSHOT_EXPIRED';
/** Codes of {@link FetchError}. */
export type FetchCode = 'URL_NOT_ALLOWED' | 'BLOCKED_ADDRESS' | 'FETCH_FAILED' | 'FETCH_TIMEOUT' | 'FETCH_TOO_LARGE';
/** Codes of {@link AccessError}. */
export type AccessCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'FOREIGN_ORIGIN' | 'RATE_LIMITED';
/** Codes of {@link LimitError}. */
export type LimitCode = 'INPUT_TOO_LARGE' | 'INPUT_TIMEOUT' | 'QUOTA_EXCEEDED';
/** Codes of {@link ShapesError}. */
export type ShapesCode = 'SHAPES_VIOLATED' | 'SHAPES_INVALID' | 'SHAPES_TIMEOUT';
/** Codes of {@link InvalidRecordError}. */
export type RecordCode = 'INVALID_RECORD';
/** Codes of the error of RPC calls. */
export type RpcErrorCode =
  | 'RPC_PARSE_ERROR'
  | 'RPC_INVALID_REQUEST'
  | 'RPC_METHOD_NOT_FOUND'
  | 'RPC_INVALID_PARAMS'
  | 'RPC_INTERNAL_ERROR';
/** Codes of {@link CorruptionError}. */
export type CorruptionCode =
  | 'CHECKSUM'
  | 'INDEX_DISAGREES'
  | 'UNKNOWN_ID'
  | 'LOG_BROKEN'
  | 'FORMAT_VERSION'
  | 'BACKUP_DAMAGED'
  | 'CHAIN_BROKEN'
  | 'SIGNATURE_INVALID'
  | 'SIGNATURE_MISSING';

/**
 * Every code of a {@link QuadrilleError}. `docs/reference/errors.md` tells its causes and remedies. A code never changes its meaning.
 * @since 0.1.0
 */
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
  | ShapesCode
  | RecordCode
  | RpcErrorCode
  | CorruptionCode;

/** What an error carries beside its text: plain values that a program can use. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/** What an error is made with. */
export interface ErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown;
  /** What {@link QuadrilleError.details} has. */
  readonly details?: ErrorDetails;
}

/**
 * Base of every error that Quadrille throws on purpose. The message says what happened, where, and what to do. `cause` is the original error.
 * @example
 * ```ts
 * import { QuadrilleError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const error = await repo.select('SELEKT').toArray().catch((thrown: unknown) => thrown);
 * console.log(error instanceof QuadrilleError && error.code); // 'SPARQL_SYNTAX'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export abstract class QuadrilleError<Code extends ErrorCode = ErrorCode> extends Error {
  /** The stable code. */
  readonly code: Code;
  /** The information of the message for programs. Which members there are depends on the code. */
  readonly details: ErrorDetails;

  constructor(code: Code, message: string, options: ErrorOptions = {}) {
    super(shortened(message, MOST_MESSAGE), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details === undefined ? {} : shortDetails(options.details);
  }
}

/** The most UTF-16 units of a message, and of a text in the details: a caller may have given a whole document where a name belongs. */
const MOST_MESSAGE = 2000;
const MOST_DETAIL = 4096;
const MOST_SOURCE = 1000;

/** A long text without its middle, since the end of a message says what to do. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 4);
  return `${text.slice(0, most - end - 3)} … ${text.slice(-end)}`;
}

function shortDetails(details: ErrorDetails): ErrorDetails {
  if (!Object.values(details).some((value) => typeof value === 'string' && value.length > MOST_DETAIL)) return details;
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortened(value, MOST_DETAIL) : value,
    ]),
  );
}

/**
 * The caller gave something that cannot be used: a term, an option, a name. Nothing was changed.
 * @example
 * ```ts
 * import { InvalidArgumentError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const error = await repo.load({ text: '' }, { format: 'word' }).catch((thrown: unknown) => thrown);
 * console.log(error instanceof InvalidArgumentError && error.code); // 'INVALID_OPTION'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class InvalidArgumentError extends QuadrilleError<InvalidArgumentCode> {}

/** Where in its input a {@link ParseError} stands. */
export interface ParsePosition {
  /** The name of the document, such as its path. */
  readonly source?: string | undefined;
  /** Number of the line, from 1. */
  readonly line?: number | undefined;
  /** Number of the column in characters, from 1. */
  readonly column?: number | undefined;
  /** Offset in bytes, from 0. */
  readonly offset?: number | undefined;
}

/**
 * A document or a query is not well formed; says where. Nothing was changed.
 * @example
 * ```ts
 * import { ParseError, parseTerm } from 'quadrille';
 *
 * try {
 *   parseTerm('<http://example.org/a b>');
 * } catch (error) {
 *   if (error instanceof ParseError) console.log(error.code, error.column); // 'RDF_SYNTAX' 22
 * }
 * ```
 * @since 0.1.0
 */
export class ParseError extends QuadrilleError<ParseCode> {
  /** The name of the document, such as its path. */
  readonly source: string | undefined;
  /** Number of the line, from 1. */
  readonly line: number | undefined;
  /** Number of the column in characters, from 1. */
  readonly column: number | undefined;
  /** Offset in bytes, from 0. */
  readonly offset: number | undefined;
  /** The message without its position. */
  readonly reason: string;

  constructor(code: ParseCode, reason: string, position: ParsePosition = {}, options: { cause?: unknown } = {}) {
    const { line, column, offset } = position;
    const source = position.source === undefined ? undefined : shortened(position.source, MOST_SOURCE);
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

/**
 * A query or update could not be evaluated, or a call was aborted. `details.retryAfter` has seconds for `QUERY_QUEUE_FULL`.
 * @example
 * ```ts
 * import { EvaluationError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const error = await repo.select('SELECT * {}', { signal: AbortSignal.abort() }).toArray().catch((thrown: unknown) => thrown);
 * console.log(error instanceof EvaluationError && error.code); // 'ABORTED'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class EvaluationError extends QuadrilleError<EvaluationCode> {}

/**
 * The thing that was named does not exist.
 * @example
 * ```ts
 * import { NotFoundError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const error = await repo.at('HEAD~7').size().catch((thrown: unknown) => thrown);
 * console.log(error instanceof NotFoundError && error.code); // 'REVISION_NOT_FOUND'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class NotFoundError extends QuadrilleError<NotFoundCode> {}

/**
 * Somebody else was first, or a condition of the caller does not hold. Nothing was changed.
 * @example
 * ```ts
 * import { ConflictError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const seen = await repo.revision();
 * await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
 * const error = await repo.update('CLEAR ALL', { ifRevision: seen }).catch((thrown: unknown) => thrown);
 * console.log(error instanceof ConflictError && error.code); // 'REVISION_CONFLICT'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class ConflictError extends QuadrilleError<ConflictCode> {}

/**
 * The store, or a handle of it, is not in the state that the call needs.
 * @example
 * ```ts
 * import { open, StateError } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * await db.close();
 * const error = await repo.size().catch((thrown: unknown) => thrown);
 * console.log(error instanceof StateError && error.code); // 'STORE_NOT_OPEN'
 * ```
 * @since 0.1.0
 */
export class StateError extends QuadrilleError<StateCode> {}

/**
 * The storage below failed: input/output, no space, a limit of the backend. Earlier acknowledged writes are safe.
 * @example
 * ```ts
 * import { open, StorageError } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * try {
 *   await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
 * } catch (error) {
 *   if (error instanceof StorageError && error.code === 'STORAGE_FULL') console.log('free some space, and try again');
 *   else throw error;
 * }
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class StorageError extends QuadrilleError<StorageCode> {}

/**
 * Another host was not asked, or did not give what it was asked for.
 * @example
 * ```ts
 * import { FetchError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const error = await repo.update('LOAD <http://127.0.0.1/data.ttl>').catch((thrown: unknown) => thrown);
 * console.log(error instanceof FetchError && error.code); // 'BLOCKED_ADDRESS'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class FetchError extends QuadrilleError<FetchCode> {}

/**
 * The caller of a server is not known, may not do this, or asked too often. `details.retryAfter` has seconds for `RATE_LIMITED`.
 * @example
 * ```ts
 * import { AccessError } from 'quadrille';
 *
 * const retryAfter = (error: unknown): number | undefined =>
 *   error instanceof AccessError && error.code === 'RATE_LIMITED' ? Number(error.details['retryAfter']) : undefined;
 * console.log(retryAfter(new AccessError('RATE_LIMITED', 'too many requests', { details: { retryAfter: 5 } }))); // 5
 * ```
 * @since 0.1.0
 */
export class AccessError extends QuadrilleError<AccessCode> {}

/**
 * A limit of the caller or of the operator was exceeded. Nothing was changed.
 * @example
 * ```ts
 * import { LimitError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * const error = await repo.load({ text: '<urn:a> <urn:p> 1 .' }, { format: 'ttl', maxBytes: 10 }).catch((thrown: unknown) => thrown);
 * console.log(error instanceof LimitError && error.code); // 'INPUT_TOO_LARGE'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class LimitError extends QuadrilleError<LimitCode> {}

/**
 * The record of an account or a repository cannot be kept as it is. Nothing was changed.
 * @example
 * ```ts
 * import { InvalidRecordError } from 'quadrille';
 *
 * const error = new InvalidRecordError({ homepage: ['is no URL'] });
 * console.log(error.fields); // { homepage: [ 'is no URL' ] }
 * ```
 * @since 0.1.0
 */
export class InvalidRecordError extends QuadrilleError<RecordCode> {
  constructor(
    /** The reasons by the name of the field. */
    readonly fields: Readonly<Record<string, readonly string[]>>,
    options: { cause?: unknown } = {},
  ) {
    const [field = 'record', problems = []] = Object.entries(fields)[0] ?? [];
    super('INVALID_RECORD', `${field} ${problems[0] ?? 'is not possible'}`, { ...options, details: { field } });
  }
}

/** What a {@link ShapesError} is made with. */
export interface ShapesErrorOptions extends ErrorOptions {
  /** The report of the validation. */
  readonly report?: RDF.DatasetCore | undefined;
}

/**
 * Data violate the shapes of their repository, or the shapes themselves cannot be used, or not in time. Nothing was changed.
 * @example
 * ```ts
 * import { ShapesError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * await repo.update(`INSERT DATA { GRAPH <urn:shapes> {
 *   <urn:shape> <http://www.w3.org/ns/shacl#targetSubjectsOf> <urn:name> ;
 *     <http://www.w3.org/ns/shacl#nodeKind> <http://www.w3.org/ns/shacl#IRI> } }`);
 * await repo.settings.set({ shapes: 'urn:shapes' });
 * const error = await repo.update('INSERT DATA { _:b <urn:name> "Ann" }').catch((thrown: unknown) => thrown);
 * console.log(error instanceof ShapesError && error.code); // 'SHAPES_VIOLATED'
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class ShapesError extends QuadrilleError<ShapesCode> {
  /** The report of the validation as a dataset, of `SHAPES_VIOLATED`. It has at most 1,000 results. */
  readonly report: RDF.DatasetCore | undefined;

  constructor(code: ShapesCode, message: string, options: ShapesErrorOptions = {}) {
    super(code, message, options);
    this.report = options.report;
  }
}

/**
 * Stored data are not what was written. Never retried, never repaired in silence.
 * @example
 * ```ts
 * import { CorruptionError, open } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const { problems } = await db.verify();
 * console.log(problems.length); // 0
 * const isDamage = (error: unknown): boolean => error instanceof CorruptionError;
 * console.log(isDamage(new Error('something else'))); // false
 * await db.close();
 * ```
 * @since 0.1.0
 */
export class CorruptionError extends QuadrilleError<CorruptionCode> {}
