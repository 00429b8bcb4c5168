/** From an error to the answer that tells of it. The only place that maps codes to HTTP status. */
import { AccessError, type ErrorCode, InvalidRecordError, ParseError, QuadrilleError } from '@quadrille/model';
import { HttpError } from './http-error.js';
import { Reply, ReplyHeaders } from './reply.js';

const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_TERM: 400,
  INVALID_OPTION: 400,
  INVALID_PATTERN: 400,
  INVALID_NAME: 400,
  INVALID_REF: 400,
  UNSUPPORTED_FORMAT: 415,
  RDF_SYNTAX: 400,
  SPARQL_SYNTAX: 400,
  UNSUPPORTED: 400,
  SERVICE_FAILED: 503,
  QUERY_TIMEOUT: 503,
  ABORTED: 503,
  QUERY_MEMORY: 507,
  RESULT_TOO_LARGE: 413,
  REVISION_NOT_FOUND: 404,
  REVISION_TRIMMED: 410,
  REPOSITORY_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 404,
  STORE_NOT_FOUND: 503,
  TAG_NOT_FOUND: 404,
  INPUT_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  VIEW_NOT_FOUND: 404,
  QUERY_NOT_FOUND: 404,
  REVISION_CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  ALREADY_EXISTS: 422,
  STORE_NOT_OPEN: 503,
  STORE_LOCKED: 503,
  NOT_A_STORE: 503,
  READ_ONLY: 403,
  SNAPSHOT_CLOSED: 503,
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
  FORMAT_VERSION: 500,
};

/** Their messages name files and processes of this machine, which are the operator's business and stand in the log. */
const OPERATORS_BUSINESS: Partial<Record<ErrorCode, string>> = {
  INPUT_NOT_FOUND: 'the input was not found',
  STORE_NOT_FOUND: 'the store is not available',
  STORE_NOT_OPEN: 'the store is not open',
  STORE_LOCKED: 'the store is not available',
  NOT_A_STORE: 'the store is not available',
  STORAGE_IO: 'the storage failed',
  STORAGE_FULL: 'the storage is full',
  STORAGE_LIMIT: 'a limit of the storage was reached',
  CHECKSUM: 'stored data are damaged',
  INDEX_DISAGREES: 'stored data are damaged',
  UNKNOWN_ID: 'stored data are damaged',
  LOG_BROKEN: 'stored data are damaged',
  FORMAT_VERSION: 'the store has a format that this version cannot read',
};

interface ErrorBody {
  error: string;
  code: string;
  status: number;
  requestId: string;
  line?: number;
  column?: number;
  errors?: Readonly<Record<string, readonly string[]>>;
}

/** What went wrong, found in a chain of causes: the library may wrap what a request body threw. */
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
  return known instanceof HttpError ? known.status : STATUS[known.code];
}

/** The answer to a request that failed: JSON, or the message alone where the client takes text and no JSON. */
export function errorResponse(error: unknown, requestId: string, accept: string | null): Reply {
  const known = knownError(error);
  const status = statusOf(error);
  const body: ErrorBody = { error: 'internal error', code: 'INTERNAL', status, requestId };
  const headers = new ReplyHeaders({ 'Cache-Control': 'no-store' });
  if (known instanceof HttpError) {
    body.error = known.message;
    body.code = known.code;
    for (const [name, value] of Object.entries(known.headers)) headers.set(name, value);
  } else if (known !== undefined) {
    body.error = OPERATORS_BUSINESS[known.code] ?? known.message;
    body.code = known.code;
    if (known instanceof InvalidRecordError) body.errors = known.fields;
    if (known instanceof AccessError) setAccessHeaders(headers, known);
    if (known instanceof ParseError) {
      if (known.line !== undefined) body.line = known.line;
      if (known.column !== undefined) body.column = known.column;
    }
  }
  if (wantsText(accept)) {
    headers.set('Content-Type', 'text/plain; charset=utf-8');
    return new Reply(`${body.error}\n`, { status, headers });
  }
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Reply(`${JSON.stringify(body)}\n`, { status, headers });
}

/** The realm is the one that existing clients register their token for. */
function setAccessHeaders(headers: ReplyHeaders, { code, details }: AccessError): void {
  if (code === 'UNAUTHENTICATED') headers.set('WWW-Authenticate', 'Basic realm="Application"');
  if (code === 'RATE_LIMITED') headers.set('Retry-After', String(details['retryAfter'] ?? 60));
}

function wantsText(accept: string | null): boolean {
  return accept !== null && /text\/plain/i.test(accept) && !/json|\*\/\*|application\/\*/i.test(accept);
}
