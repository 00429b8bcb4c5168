/** JSON-RPC 2.0 and XML-RPC over a service: one handler, and a listener that puts it into a node:http server. */
export { createRpcHandler, type RpcHandler, type RpcHandlerOptions, type RpcRequest } from './handler.js';
export type { RpcResponse } from './response.js';
export { rpcListener } from './node-listener.js';
export { API_VERSION } from './methods/describe-service.js';
export { DEFAULT_LIMITS, type RpcLimits } from './limits.js';
export { RPC, RpcError, type RpcCode, type RpcErrorOptions } from './rpc-error.js';
export type { AllowedOrigins } from '@quadrille/service';
export type { RpcHeaders } from './transport.js';
export type { RpcStruct, RpcValue } from './value.js';
