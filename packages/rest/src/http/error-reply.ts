/** The reply to a request that failed. */
import { errorDocument } from '@quadrille/http';
import { Reply, ReplyHeaders } from './reply.js';

/** JSON, or the message alone for a client that accepts text and no JSON. */
export function errorReply(error: unknown, requestId: string, accept: string | null): Reply {
  const { document, headers: fields } = errorDocument(error, requestId);
  const headers = new ReplyHeaders({ 'Cache-Control': 'no-store', ...fields });
  const { status } = document;
  if (wantsText(accept)) {
    headers.set('Content-Type', 'text/plain; charset=utf-8');
    return new Reply(`${document.error}\n`, { status, headers });
  }
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Reply(`${JSON.stringify(document)}\n`, { status, headers });
}

function wantsText(accept: string | null): boolean {
  return accept !== null && /text\/plain/i.test(accept) && !/json|\*\/\*|application\/\*/i.test(accept);
}
