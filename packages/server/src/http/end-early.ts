/**
 * Answers a request whose body has not come to its end. Closing a connection with unread bytes resets it, and a client that is still sending may lose
 * its answer. So the rest is received first, within bounds: then the client can even use the connection again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that sends more after its answer, or takes longer, loses the connection. */
const DISCARD_MS = 10_000;
/** A client that sends nothing for this time waits for the end of its answer. */
const SILENT_MS = 1000;
const DISCARD_BYTES = 64 * 1024 ** 2;

/** Sends the rest of an answer at once, whose head has been written with its length, and ends it after the body of the request. */
export function endEarly(incoming: IncomingMessage, outgoing: ServerResponse, body?: string | Uint8Array): void {
  outgoing.flushHeaders();
  if (body !== undefined && body.length > 0) outgoing.write(body);
  discardRest(incoming, () => outgoing.end());
}

/** Receives the rest of a body for nothing. Calls `then`, and closes the connection where the rest is too long. */
export function discardRest(incoming: IncomingMessage, then: () => void): void {
  let bytes = 0;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    clearTimeout(silence);
    then();
    if (!incoming.complete) incoming.socket.destroySoon();
  };
  const timer = setTimeout(end, DISCARD_MS);
  const silence = setTimeout(end, SILENT_MS);
  timer.unref?.();
  incoming.on('data', (chunk: Uint8Array) => {
    silence.refresh();
    bytes += chunk.length;
    if (bytes > DISCARD_BYTES) end();
  });
  incoming.once('end', end).once('close', end).once('error', end).resume();
  if (incoming.complete || incoming.destroyed) end();
}
