/** The server: a `fetch` handler over a database, and the adapter that serves it with node:http. */
export { createHandler, type Handler, type HandlerOptions, type HandlerSource } from './handler.js';
export type { Client } from './authentication.js';
export type { Access, Authorize } from './service.js';
export { serveNode, type NodeServer, type ServeOptions, type TlsIdentity } from './adapter/node.js';
export type { ConnectionLimits } from './adapter/connections.js';
export { DEFAULT_PORT, serveOnPort } from './adapter/serve-on-port.js';
export { type ChangesAfter, lastChange, patchesUntil } from './documents/present-patches.js';
export { type AccessLine, type AccessLog, type AllowedOrigins, HTTP_CODES, type HttpCode } from '@quadrille/http';
export type { Context } from './context.js';
export { Reply, ReplyHeaders, type ReplyBody } from './http/reply.js';
export type { HttpRequest, RequestHeaders } from './http/request.js';
export type { StaticFile, StaticFiles } from './http/static-files.js';
