/** The error of a call. JSON-RPC errors and XML-RPC faults use the same numbers. */
import { type ErrorCode, QuadrilleError } from '@quadrille/model';
import type { RpcStruct } from './value.js';

/** The numbers of JSON-RPC 2.0, which XML-RPC uses by convention too, and those of this interface. */
export const RPC = {
  /** The body cannot be read. */
  PARSE_ERROR: -32700,
  /** The body is not a call. */
  INVALID_REQUEST: -32600,
  /** There is no method of this name. */
  METHOD_NOT_FOUND: -32601,
  /** The parameters do not fit the method. */
  INVALID_PARAMS: -32602,
  /** A fault of the server. */
  INTERNAL_ERROR: -32603,
  /** Credentials are needed, or wrong. */
  UNAUTHENTICATED: -32001,
  /** The caller may not do this. */
  FORBIDDEN: -32003,
  /** An object that the call names does not exist. */
  NOT_FOUND: -32004,
  /** The object to create exists, or a condition does not hold. */
  CONFLICT: -32009,
  /** A record is invalid. */
  VALIDATION: -32022,
  /** Too many calls. */
  RATE_LIMITED: -32029,
} as const;

/** The number of an error. */
export type RpcCode = (typeof RPC)[keyof typeof RPC];

/** The HTTP status of each number, and the default code. */
const MEANING: Readonly<Record<RpcCode, readonly [status: number, code: ErrorCode]>> = {
  [RPC.PARSE_ERROR]: [400, 'RPC_PARSE_ERROR'],
  [RPC.INVALID_REQUEST]: [400, 'RPC_INVALID_REQUEST'],
  [RPC.METHOD_NOT_FOUND]: [404, 'RPC_METHOD_NOT_FOUND'],
  [RPC.INVALID_PARAMS]: [400, 'RPC_INVALID_PARAMS'],
  [RPC.INTERNAL_ERROR]: [500, 'RPC_INTERNAL_ERROR'],
  [RPC.UNAUTHENTICATED]: [401, 'UNAUTHENTICATED'],
  [RPC.FORBIDDEN]: [403, 'FORBIDDEN'],
  [RPC.NOT_FOUND]: [404, 'REPOSITORY_NOT_FOUND'],
  [RPC.CONFLICT]: [409, 'ALREADY_EXISTS'],
  [RPC.VALIDATION]: [422, 'INVALID_RECORD'],
  [RPC.RATE_LIMITED]: [429, 'RATE_LIMITED'],
};

/** Options of an error. */
export interface RpcErrorOptions {
  /** Default: the one that goes with the number. */
  readonly code?: ErrorCode;
  /** Default: the one that goes with the number. */
  readonly status?: number;
  /** For `data`, beside `status` and `type`. */
  readonly more?: RpcStruct;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** The error of a call, as JSON-RPC and XML-RPC tell it. */
export class RpcError extends QuadrilleError {
  /** The number that the client sees. */
  readonly rpcCode: RpcCode;
  /** The HTTP status that says the same. */
  readonly status: number;
  /** `status`, `type` (the code) and further details for programs. */
  readonly data: RpcStruct;

  constructor(rpcCode: RpcCode, message: string, options: RpcErrorOptions = {}) {
    const [status, code] = MEANING[rpcCode];
    super(options.code ?? code, message, { cause: options.cause });
    this.rpcCode = rpcCode;
    this.status = options.status ?? status;
    this.data = { status: this.status, type: this.code, ...options.more };
  }
}
