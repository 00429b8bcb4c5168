/** Errors of the client as those of the library, which callers of `open` expect. */
import { ClientError } from '@quadrille/client';
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
  type ErrorDetails,
  type ErrorOptions,
  QuadrilleError,
  ShapesError,
  StateError,
  StorageError,
} from '@quadrille/model';

type Make = new (code: never, message: string, options: ErrorOptions) => QuadrilleError;

/** The codes of each class. Others are those of an EvaluationError. A test compares them with all codes. */
const CLASSES: readonly (readonly [Make, RegExp])[] = [
  [
    InvalidArgumentError,
    /^(?:INVALID_(?:TERM|OPTION|PATTERN|NAME|REF|VECTOR)|NOT_A_QUERY|NOT_AN_UPDATE|UNSUPPORTED_FORMAT)$/,
  ],
  [ShapesError, /^SHAPES_/],
  [AccessError, /^(?:UNAUTHENTICATED|FORBIDDEN|FOREIGN_ORIGIN|RATE_LIMITED)$/],
  [FetchError, /^(?:URL_NOT_ALLOWED|BLOCKED_ADDRESS|FETCH_(?:FAILED|TIMEOUT|TOO_LARGE))$/],
  [LimitError, /^(?:INPUT_TOO_LARGE|INPUT_TIMEOUT|QUOTA_EXCEEDED)$/],
  [NotFoundError, /_NOT_FOUND$|^(?:REVISION_TRIMMED|NOTHING_TO_ERASE|REPOSITORY_DELETED|REPOSITORY_MOVED)$/],
  [
    ConflictError,
    /_CONFLICT$|^(?:REPOSITORY_BUSY|HISTORY_DIVERGED|BRANCH_NOT_MERGED|BRANCH_DEFAULT|NO_INDEX|PRECONDITION_FAILED|ALREADY_EXISTS|ACCOUNT_NOT_EMPTY)$/,
  ],
  [
    StateError,
    /^(?:STORE_NOT_OPEN|STORE_LOCKED|SERVER_DUPLICATE|NOT_A_STORE|NOT_A_BACKUP|NOT_EMPTY|PUBLISHED_OTHER|BACKUP_MISMATCH|READ_ONLY|REPOSITORY_MOVING|SNAPSHOT_CLOSED|WOULD_WAIT)$/,
  ],
  [
    StorageError,
    /^(?:STORAGE_(?:IO|FULL|LIMIT)|STORE_(?:UNAVAILABLE|ACCESS|UNSAFE)|HOST_UNSUITABLE|COMMIT_UNKNOWN|LEASE_LOST|STALE_READ|HISTORY_LOST|SNAPSHOT_EXPIRED)$/,
  ],
  [
    CorruptionError,
    /^(?:CHECKSUM|INDEX_DISAGREES|UNKNOWN_ID|LOG_BROKEN|FORMAT_VERSION|BACKUP_DAMAGED|CHAIN_BROKEN|SIGNATURE_(?:INVALID|MISSING))$/,
  ],
  [
    EvaluationError,
    /^(?:UNSUPPORTED|UNKNOWN_FUNCTION|SERVICE_FAILED|QUERY_(?:TIMEOUT|QUEUE_FULL|MEMORY)|ABORTED|RESULT_TOO_LARGE|THREAD_FAILED)$/,
  ],
];

/** Codes of requests, of which the calls of the library know nothing. */
const OF_REQUESTS: Readonly<Record<string, string>> = {
  PRECONDITION_FAILED: 'REVISION_CONFLICT',
  INVALID_PARAMETER: 'INVALID_OPTION',
  BAD_REQUEST: 'INVALID_OPTION',
};

/** Functions that databases of this process were opened with, by their IRIs: another one does not have them. */
const ownFunctions = new Set<string>();

export function addOwnFunctions(iris: readonly string[]): void {
  for (const iri of iris) ownFunctions.add(iri);
}

const isOwnFunction = (message: string): boolean => [...ownFunctions].some((iri) => message.includes(iri));

/** The class of a code; `undefined` for a code that is none of the library. */
export const classOf = (code: string): Make | undefined => CLASSES.find(([, codes]) => codes.test(code))?.[0];

/** The same error as the library has it. */
export function libraryError(error: unknown): unknown {
  if (!(error instanceof ClientError)) return error;
  const { message, details } = error;
  const code = OF_REQUESTS[error.code] ?? error.code;
  if (code === 'RDF_SYNTAX' || code === 'SPARQL_SYNTAX' || code === 'TEXT_SYNTAX')
    return new ParseError(code, message.replace(/^\d+:\d+: /, ''), details, { cause: error });
  if (code === 'UNKNOWN_FUNCTION' && isOwnFunction(message))
    return unsupported(
      'a function of this process',
      `give it to open of the process that holds the store, too (${message})`,
    );
  return errorOfCode(code, message, details, error);
}

/** An error of the library by its code. */
export function errorOfCode(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>>,
  cause?: unknown,
): QuadrilleError {
  const Class = classOf(code);
  const plain = Object.fromEntries(
    Object.entries(details).filter(([, value]) => /^(?:string|number|boolean)$/.test(typeof value)),
  ) as ErrorDetails;
  if (Class === undefined) return new EvaluationError('UNSUPPORTED', message, { cause });
  return new Class(code as never, message, { cause, details: plain });
}

/** What only the process that holds the store can do. */
export const unsupported = (what: string, remedy: string): EvaluationError =>
  new EvaluationError('UNSUPPORTED', `${what} is not for a process that shares the store of another one: ${remedy}`);

export const HOLDER_DOES =
  'the process that holds the store can do it, or this one with share: false after that has ended';
