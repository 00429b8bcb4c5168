/**
 * Sends whole answers together. Writing to a socket whose client sleeps wakes it, which costs the server as much as a short query;
 * of several clients that wait, only the first has to be woken where their answers go out in a row.
 */
import type { ServerResponse } from 'node:http';

/** How long an answer waits at most for those of requests that came with it. */
const PATIENCE_MS = 1;

let waiting: { readonly outgoing: ServerResponse; readonly body: string | Uint8Array | undefined }[] = [];
let since = 0;

/** Ends an answer when all requests that have come are answered, or the first of their answers has waited long enough. */
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
  for (const { outgoing, body } of ready) outgoing.end(body);
}
