/** Sends an answer with node:http. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { lengthOf, type Reply } from '../http/reply.js';
import { endTogether } from './end-together.js';
import { untilDrained } from '../http/until-drained.js';

/**
 * The unread rest of a request body is received within these bounds, so that the client can read its answer and go on to use the
 * connection. A client that sends more, or more slowly, loses the connection.
 */
const DISCARD_MS = 5000;
const DISCARD_BYTES = 4 * 1024 ** 2;

export async function sendReply(reply: Reply, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body } = reply;
  const length = lengthOf(body);
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  const hasLength = headers.has('Content-Length') || status === 204 || status === 304;
  if (length !== undefined && !hasLength) flat.push('content-length', String(length));
  outgoing.writeHead(status, flat as unknown as OutgoingHttpHeaders);
  if (!incoming.complete) outgoing.once('finish', () => discardRest(incoming));
  if (!(body instanceof ReadableStream)) endTogether(outgoing, body ?? undefined);
  else await stream(body, outgoing);
}

/** Sends a stream with backpressure. */
async function stream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const gone = (): void => void reader.cancel().catch(() => undefined);
  outgoing.once('close', gone);
  if (outgoing.destroyed) return gone();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await untilDrained(outgoing);
    }
    outgoing.end();
  } catch {
    // The status is sent already. A broken connection tells the client that the answer is incomplete.
    outgoing.destroy();
  } finally {
    outgoing.off('close', gone);
  }
}

function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  const { socket } = incoming;
  const end = (): void => void socket.destroySoon();
  const timer = setTimeout(end, DISCARD_MS);
  let bytes = 0;
  incoming.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES) end();
  });
  incoming.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}
