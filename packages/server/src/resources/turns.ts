/** Queries and updates wait for their turn before they are parsed. */
import { clientRequestId } from '../http/index.js';
import { networkOf, type QueryRequest, type Turn } from '../host/index.js';
import type { Context } from '../context.js';
import { Reply } from '../message/reply.js';
import { noteQuery } from './server/query-notes.js';
import { timeoutOf } from '../parameters/timeout.js';
import { openOther, repositoryName, type Service } from '../service.js';

/** A text that a client sends, with the parameters of its request. */
export interface SentText extends Pick<QueryRequest, 'kind' | 'text' | 'keepsPlace'> {
  readonly parameters: URLSearchParams;
}

/**
 * Runs a request when its turn has come. The turn ends with the reply: a body that is a stream has to be made with the turn.
 * @throws HttpError 400 for a time limit that cannot be had; EvaluationError `QUERY_QUEUE_FULL`
 */
export async function inTurn(
  service: Service,
  context: Context,
  sent: SentText,
  run: (turn: Turn) => Promise<Reply>,
): Promise<Reply> {
  const { gate } = service.hosted;
  const timeoutMs = timeoutOf(sent.parameters, gate.limits);
  const turn = await gate.enter(requestOf(service, context, sent, context.request.signal, timeoutMs));
  try {
    const reply = await run(turn);
    if (!(reply.body instanceof ReadableStream)) turn.leave();
    return reply;
  } catch (error) {
    turn.leave(error);
    throw error;
  }
}

/** Runs one evaluation of a request that has several, when its turn has come. @throws as {@link inTurn} */
export function evaluationInTurn<T>(
  service: Service,
  context: Context,
  { text, parameters, signal }: Pick<SentText, 'text' | 'parameters'> & { readonly signal: AbortSignal },
  run: (turn: Turn) => Promise<T>,
): Promise<T> {
  const { gate } = service.hosted;
  const timeoutMs = timeoutOf(parameters, gate.limits);
  return gate.run(requestOf(service, context, { kind: 'query', text }, signal, timeoutMs), run);
}

/** Runs an update that is a part of a larger request, when its turn has come. @throws EvaluationError `QUERY_QUEUE_FULL` */
export function updateInTurn(
  service: Service,
  context: Context,
  text: string,
  run: (turn: Turn) => Promise<void>,
): Promise<void> {
  return service.hosted.gate.run(requestOf(service, context, { kind: 'update', text }), run);
}

/** Runs something that is answered later, when its turn has come. @throws EvaluationError `QUERY_QUEUE_FULL` */
export function workInTurn<T>(
  service: Service,
  context: Context,
  sent: Omit<SentText, 'parameters'>,
  run: (turn: Turn) => Promise<T>,
): Promise<T> {
  return service.hosted.gate.run(requestOf(service, context, sent), run);
}

// Written out: members behind a spread take a microsecond each.
const requestOf = (
  service: Service,
  context: Context,
  { kind, text, keepsPlace }: Omit<SentText, 'parameters'>,
  signal: AbortSignal = context.request.signal,
  timeoutMs?: number,
): QueryRequest => ({
  kind,
  text,
  keepsPlace,
  party: partyOf(context),
  repository: repositoryName(context),
  signal,
  timeoutMs,
  repositories: (name) => openOther(service, context, name),
  onBegun: (task) =>
    noteQuery(task, {
      account: context.caller.account,
      clientRequestId: clientRequestId(context.header('Client-Request-Id')),
    }),
});

/** The party that shares a place in the queue: the account, or else the network of the client. */
export const partyOf = ({ principal, address }: Context): string => principal ?? networkOf(address);
