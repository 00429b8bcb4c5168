/** JSON-RPC 2.0 and XML-RPC over a service: one handler, and a listener that puts it into a node:http server. */
export { createRpcHandler, type RpcHandler, type RpcHandlerOptions, type RpcRequest } from './handler.js';
export type { RpcResponse } from './http/response.js';
export { rpcListener } from './http/node-listener.js';
export { API_VERSION } from './methods/describe-service.js';
export { DEFAULT_LIMITS, type RpcLimits } from './calls/limits.js';
export { RPC, RpcError, type RpcCode, type RpcErrorOptions } from './calls/rpc-error.js';
export type { AllowedOrigins } from '../http/index.js';
export type { RpcHeaders } from './http/transport.js';
export type { RpcStruct, RpcValue } from './calls/value.js';
