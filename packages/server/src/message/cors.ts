/** The methods and headers that pages of other origins may use. */
import { preflightFields } from '../http/index.js';

export const EXPOSED =
  'ETag, Location, Link, Last-Modified, Memento-Datetime, Request-Id, Client-Request-Id, Retry-After, Allow, ' +
  'Upload-Offset, Upload-Complete, Idempotency-Replayed, Mcp-Session-Id';
export const PREFLIGHT = preflightFields(
  'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Authorization, Content-Type, Content-Encoding, Accept, Accept-Datetime, ETag, If-Match, If-None-Match, ' +
    'If-Modified-Since, Branch, Revision, Revision-Message, Silent, Client-Request-Id, Accept-Asynchronous, Prefer, X-HTTP-Method-Override, Last-Event-ID, ' +
    'Upload-Offset, Upload-Complete, Upload-Length, Idempotency-Key, Mcp-Session-Id, MCP-Protocol-Version',
);
