/** Errors of HTTP itself. The library throws all other errors as QuadrilleError. */

export type HttpCode =
  | 'BAD_REQUEST'
  | 'INVALID_PARAMETER'
  | 'INVALID_ENCODING'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'MISDIRECTED'
  | 'NOT_ACCEPTABLE'
  | 'PAYLOAD_TOO_LARGE'
  | 'PRECONDITION_REQUIRED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'NOT_IMPLEMENTED'
  | 'NOT_READY'
  | 'UPLOAD_CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL';

const STATUS: Readonly<Record<HttpCode, number>> = {
  BAD_REQUEST: 400,
  INVALID_PARAMETER: 400,
  INVALID_ENCODING: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  MISDIRECTED: 421,
  NOT_ACCEPTABLE: 406,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PRECONDITION_REQUIRED: 428,
  NOT_IMPLEMENTED: 501,
  NOT_READY: 503,
  UPLOAD_CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  INTERNAL: 500,
};

/** Every code, for the documentation test. */
export const HTTP_CODES = Object.keys(STATUS) as readonly HttpCode[];

/** Options of an error. */
export interface HttpErrorOptions {
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What programs need of the message. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error that only servers have. */
export class HttpError extends Error {
  /** A code of `docs/reference/errors.md`. */
  readonly code: HttpCode;
  /** Status of HTTP. */
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** What programs need of the message. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: HttpCode, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.name = 'HttpError';
    this.code = code;
    this.status = STATUS[code];
    this.headers = options.headers ?? {};
    this.details = options.details;
  }
}

/** The error for a request that is wrong. */
export const badRequest = (message: string): HttpError => new HttpError('BAD_REQUEST', message);

/** Makes the errors for the value of a parameter, or for the lack of one. */
export const refuseParameter =
  (name: string): ((message: string) => HttpError) =>
  (message) =>
    new HttpError('INVALID_PARAMETER', message, { details: { parameter: name.slice(0, 100) } });
