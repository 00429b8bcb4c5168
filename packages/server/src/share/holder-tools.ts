/** Tools of agents that the holder runs for the sessions of guests. */
import type { Database } from 'quadrille';
import type { Service } from '../host/index.js';
import type { ForwardedAnswer, ForwardedToStore } from '../mcp/forward/forwarded-calls.js';
import { bodyText } from '../message/body.js';
import { jsonReply } from '../message/json-reply.js';
import type { Reply } from '../message/reply.js';
import { type HttpRequest, pathOfUrl } from '../message/request.js';
import { HOP_KEY } from '../once/keyed-request.js';
import { READING_TOOLS, WRITING_TOOLS } from './protocol.js';

/** A message of an agent has at most ten megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The answer to a tool of a guest; `undefined` for other requests. */
export async function answerToTool(
  database: Database,
  service: Service,
  request: HttpRequest,
): Promise<Reply | undefined> {
  const path = pathOfUrl(request.url);
  if ((path !== READING_TOOLS && path !== WRITING_TOOLS) || request.method !== 'POST') return undefined;
  const call = JSON.parse(await bodyText(request, MOST_BYTES)) as ForwardedToStore;
  const key = request.headers.get(HOP_KEY);
  if (path === WRITING_TOOLS && key !== null)
    return jsonReply(await doneOnce(database, service, call, key, request.signal));
  const { runForwarded } = await import('../mcp/forward/run-forwarded.js');
  return jsonReply(await runForwarded(database, call, request.signal));
}

/** The answer lies in the batch of the commit: a holder that has taken over finds it, and changes nothing. */
async function doneOnce(
  database: Database,
  { keptRequests }: Service,
  call: ForwardedToStore,
  key: string,
  signal: AbortSignal,
): Promise<ForwardedAnswer> {
  const { runForwarded } = await import('../mcp/forward/run-forwarded.js');
  const place = { account: undefined, repository: '', key: `tool ${key}` };
  return keptRequests.alone(place, async () => {
    const before = await keptRequests.find(place);
    if (before?.answer.body !== undefined) return JSON.parse(before.answer.body) as ForwardedAnswer;
    return runForwarded(database, call, signal, ({ id: revision }, answer) => {
      const kept = { status: 200, revision, headers: {}, body: JSON.stringify(answer) };
      return keptRequests.changes(place, { head: '', answer: kept });
    });
  });
}
