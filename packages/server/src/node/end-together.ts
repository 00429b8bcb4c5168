/**
 * Sends complete answers in groups. The first write to a socket whose client sleeps costs as much as a short query, because it wakes
 * the client. Writes that follow at once are cheap.
 */
import type { ServerResponse } from 'node:http';
import { endEarly } from '../http/index.js';

/** Longest time that an answer waits for others. */
const PATIENCE_MS = 1;

let waiting: { readonly outgoing: ServerResponse; readonly body: string | Uint8Array | undefined }[] = [];
let since = 0;

/** Ends an answer after the received requests are handled, or after {@link PATIENCE_MS}. */
export function endTogether(outgoing: ServerResponse, body: string | Uint8Array | undefined): void {
  waiting.push({ outgoing, body });
  if (waiting.length === 1) {
    since = performance.now();
    setImmediate(endAll);
  } else if (performance.now() - since > PATIENCE_MS) endAll();
}

function endAll(): void {
  const ready = waiting;
  waiting = [];
  for (const { outgoing, body } of ready) {
    if (outgoing.req.complete) outgoing.end(body);
    else endEarly(outgoing.req, outgoing, body);
  }
}
