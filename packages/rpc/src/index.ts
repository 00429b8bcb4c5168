/** JSON-RPC 2.0 and XML-RPC over a service. */
export { RPC, RpcError, type RpcCode, type RpcErrorOptions } from './rpc-error.js';
export type { RpcStruct, RpcValue } from './value.js';
