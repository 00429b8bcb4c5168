/** From an error of the library to the one that a caller is told. The only place that maps codes to numbers. */
import {
  AccessError,
  ConflictError,
  type ErrorCode,
  FetchError,
  InvalidArgumentError,
  InvalidRecordError,
  LimitError,
  NotFoundError,
  ParseError,
  QuadrilleError,
  ShapesError,
} from '@quadrille/model';
import { publicError } from '../../host/index.js';
import { RPC, RpcError, type RpcCode } from './rpc-error.js';
import type { RpcStruct } from './value.js';

/** An RpcError is returned as it is. An error that is no QuadrilleError becomes an internal error without its message. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const { code, message } = publicError(error);
  if (!(error instanceof QuadrilleError)) return new RpcError(RPC.INTERNAL_ERROR, message, { cause: error });
  if (error.code === 'QUERY_QUEUE_FULL') {
    const told = { code: error.code, status: 503, more: moreOf(error), cause: error };
    return new RpcError(RPC.RATE_LIMITED, message, told);
  }
  if (error.code === 'REPOSITORY_MOVED' || error.code === 'REPOSITORY_MOVING') {
    const isMoved = error.code === 'REPOSITORY_MOVED';
    const told = { code: error.code, status: isMoved ? 410 : 503, more: moreOf(error), cause: error } as const;
    return new RpcError(isMoved ? RPC.NOT_FOUND : RPC.CONFLICT, message, told);
  }
  return new RpcError(numberOf(error), message, { code: code as ErrorCode, more: moreOf(error), cause: error });
}

function numberOf(error: QuadrilleError): RpcCode {
  if (error instanceof AccessError) {
    if (error.code === 'UNAUTHENTICATED') return RPC.UNAUTHENTICATED;
    return error.code === 'RATE_LIMITED' ? RPC.RATE_LIMITED : RPC.FORBIDDEN;
  }
  if (error instanceof NotFoundError) return RPC.NOT_FOUND;
  if (error instanceof ConflictError) return RPC.CONFLICT;
  if (error instanceof InvalidRecordError) {
    return error.cause instanceof ConflictError ? RPC.CONFLICT : RPC.VALIDATION;
  }
  if (error instanceof ShapesError) return RPC.VALIDATION;
  if (error instanceof InvalidArgumentError || error instanceof ParseError) return RPC.INVALID_PARAMS;
  if (error instanceof LimitError || error instanceof FetchError) return RPC.FORBIDDEN;
  return RPC.INTERNAL_ERROR;
}

/** Details for programs: problems of fields, seconds to wait, line and column, where a repository has moved to. */
function moreOf(error: QuadrilleError): RpcStruct {
  if (error instanceof InvalidRecordError) return { errors: error.fields };
  const { retryAfter, line, column, location } = error.details;
  if (error.code === 'REPOSITORY_MOVED') return typeof location === 'string' ? { location } : {};
  return Object.fromEntries(
    Object.entries({ retryAfter, line, column }).filter(
      (pair): pair is [string, number] => typeof pair[1] === 'number',
    ),
  );
}
