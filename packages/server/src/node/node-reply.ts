/** Sends an answer with node:http. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { discardRest } from '../http/index.js';
import { lengthOf, type Reply } from '../message/reply.js';
import { endTogether } from './end-together.js';
import { untilDrained } from '../message/until-drained.js';

/** Longer pieces are written in parts: a slow reader is seen to take something. */
const PIECE_BYTES = 64 * 1024;

/** A reader that takes nothing of a stream for `writeStallMs` is disconnected. */
export async function sendReply(
  reply: Reply,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  writeStallMs = Infinity,
): Promise<void> {
  const { status, headers, body } = reply;
  const length = lengthOf(body);
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  const hasLength = headers.has('Content-Length') || status === 204 || status === 304;
  if (length !== undefined && !hasLength) flat.push('content-length', String(length));
  outgoing.writeHead(status, flat as unknown as OutgoingHttpHeaders);
  if (!(body instanceof ReadableStream)) {
    return endTogether(outgoing, body ?? undefined);
  }
  if (!incoming.complete) outgoing.once('finish', () => discardRest(incoming, () => undefined));
  const bytes = await stream(body, outgoing, writeStallMs);
  reply.onSent?.(bytes);
}

/** Sends a stream with backpressure. Resolves with the bytes that were written. */
async function stream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  writeStallMs: number,
): Promise<number> {
  let bytes = 0;
  const reader = body.getReader();
  const gone = (): void => void reader.cancel().catch(() => undefined);
  outgoing.once('close', gone);
  if (outgoing.destroyed) {
    gone();
    return bytes;
  }
  // The answer may come to its end while its reader takes nothing.
  reader.closed.catch(() => outgoing.destroy());
  const stalled = (): void => {
    // An answer without a socket waits for the one before it, which the client asked for on the same connection.
    if (outgoing.socket !== null) outgoing.destroy();
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      for (let at = 0; at < value.length && !outgoing.destroyed; at += PIECE_BYTES) {
        const piece = value.subarray(at, at + PIECE_BYTES);
        bytes += piece.length;
        if (!outgoing.write(piece)) await untilDrained(outgoing, writeStallMs, stalled);
      }
    }
    outgoing.end();
  } catch {
    // The status is sent already. A broken connection tells the client that the answer is incomplete.
    outgoing.destroy();
  } finally {
    outgoing.off('close', gone);
  }
  return bytes;
}
