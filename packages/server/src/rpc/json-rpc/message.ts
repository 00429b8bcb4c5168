/** JSON-RPC 2.0 messages: read from bytes, and written. */
import type { RpcCall } from '../calls/call.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import type { RpcValue } from '../calls/value.js';
import { scanJson } from './scan.js';

/** A message: a call, or the error of a malformed one. */
export interface JsonRpcMessage {
  /** The JSON text of the id, to be repeated in the answer; `undefined` for a notification, which gets no answer. */
  readonly id: string | undefined;
  readonly call: RpcCall | RpcError;
}

export interface JsonRpcRequest {
  readonly isBatch: boolean;
  readonly messages: readonly JsonRpcMessage[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws RpcError where it is no JSON in UTF-8, nests too deeply, or is an empty batch or one that is too long */
export function readJsonRpc(bytes: Uint8Array, limits: { maxDepth: number; batchCalls: number }): JsonRpcRequest {
  const text = decoded(bytes);
  const ids = scanJson(text, limits.maxDepth);
  const value = parsed(text);
  if (!Array.isArray(value)) return { isBatch: false, messages: [messageOf(value, ids[0])] };
  if (value.length === 0) throw new RpcError(RPC.INVALID_REQUEST, 'a batch has at least one member');
  if (value.length > limits.batchCalls) {
    throw new RpcError(RPC.INVALID_REQUEST, `a batch may have at most ${String(limits.batchCalls)} members`);
  }
  return { isBatch: true, messages: value.map((member, i) => messageOf(member, ids[i])) };
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new RpcError(RPC.PARSE_ERROR, 'the body is not UTF-8', { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RpcError(RPC.PARSE_ERROR, 'the body is not JSON', { cause });
  }
}

function messageOf(value: unknown, writtenId: string | undefined): JsonRpcMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { id: 'null', call: invalid('a call is an object') };
  }
  // JSON.parse makes own members for all names, also for `__proto__`. Inherited members are ignored.
  const own = (name: string): unknown =>
    Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  const [id, version, method] = [own('id'), own('jsonrpc'), own('method')];
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    return { id: 'null', call: invalid('id is a string, a number or null') };
  }
  const text = id === undefined ? undefined : (writtenId ?? JSON.stringify(id));
  if (version !== '2.0') {
    return { id: text ?? 'null', call: invalid('jsonrpc must be "2.0"; JSON-RPC 1.x is not supported') };
  }
  if (typeof method !== 'string') return { id: text ?? 'null', call: invalid('method is a string') };
  const params = own('params') ?? undefined;
  if (params !== undefined && typeof params !== 'object') {
    return { id: text, call: new RpcError(RPC.INVALID_PARAMS, 'params is an array or an object') };
  }
  return { id: text, call: { method, params: params as readonly RpcValue[] | undefined } };
}

const invalid = (message: string): RpcError => new RpcError(RPC.INVALID_REQUEST, message);

/** `id` as it was written. */
export const writeJsonRpcResult = (result: unknown, id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`;

export const writeJsonRpcError = ({ rpcCode, message, data }: RpcError, id = 'null'): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: rpcCode, message, data })}}`;
