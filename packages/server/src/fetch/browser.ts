/** The entry for browsers: the handler alone, without the adapter of node:http. */
export {
  createHandler,
  type Handler,
  type HandlerOptions,
  type HandlerSettings,
  type HandlerSource,
} from '../handler.js';
export type { Client } from '../authentication.js';
export type { Access, Authorize } from '../service.js';
export { type AccessLine, type AccessLog, type AllowedOrigins, HTTP_CODES, type HttpCode } from '../http/index.js';
export type { Context } from '../context.js';
export { Reply, ReplyHeaders, type ReplyBody } from '../message/reply.js';
export type { HttpRequest, RequestHeaders } from '../message/request.js';
export type { StaticFile, StaticFiles } from '../message/static-files.js';
