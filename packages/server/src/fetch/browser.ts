/** The entry for browsers: the handler alone, without the adapter of node:http. */
export { createHandler, type Handler, type HandlerOptions, type HandlerSource } from '../handler.js';
export type { Client } from '../authentication.js';
export type { Access, Authorize } from '../service.js';
export { type AccessLine, type AccessLog, type AllowedOrigins, HTTP_CODES, type HttpCode } from '@quadrille/http';
export type { Context } from '../context.js';
export { Reply, ReplyHeaders, type ReplyBody } from '../http/reply.js';
export type { HttpRequest, RequestHeaders } from '../http/request.js';
export type { StaticFile, StaticFiles } from '../http/static-files.js';
