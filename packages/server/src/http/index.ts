/** The parts that every HTTP interface of a server shares: credentials, client addresses, CORS, request ids and errors. */
export { type AccessLine, type AccessLog, roundedMs } from './access-line.js';
export { basePathOf, belowBase } from './base-path.js';
export { readAuthorization } from './authorization.js';
export { clientAddress, type SenderOptions } from './client-address.js';
export { type AllowedOrigins, type Fields, originFields, preflightFields } from './cors.js';
export { type ConflictRecord, conflictRecords } from './conflict-records.js';
export { type ErrorDocument, errorDocument } from './error-document.js';
export { discardRest, endEarly } from './end-early.js';
export { type PageRules, refuseForeign, type SentRequest } from './foreign-pages.js';
export { knownError, statusOf } from './error-status.js';
export {
  badRequest,
  HTTP_CODES,
  type HttpCode,
  HttpError,
  type HttpErrorOptions,
  refuseParameter,
} from './http-error.js';
export { accessFields } from './access-fields.js';
export { readGraph, readIri, readTerm, type Refuse } from './term-parameters.js';
export { clientRequestId } from './request-id.js';
