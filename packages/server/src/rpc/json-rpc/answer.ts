/** Answers a request in JSON-RPC 2.0. */
import { toRpcError } from '../calls/failure.js';
import type { RpcLimits } from '../calls/limits.js';
import { contentType, errorHeaders, refusal, type RpcResponse } from '../http/response.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import type { CallRunner } from '../calls/run-calls.js';
import type { MediaType } from '../http/transport.js';
import { type JsonRpcMessage, readJsonRpc, writeJsonRpcError, writeJsonRpcResult } from './message.js';

/**
 * `runner` is an error if the credentials are wrong. With `strict` every error of a single call has its own HTTP status.
 * @throws RpcError for what is no JSON-RPC, AccessError for a batch that is one too many: refusals of the whole request
 */
export async function answerJsonRpc(
  bytes: Uint8Array,
  mediaType: MediaType,
  runner: CallRunner | RpcError,
  limits: RpcLimits,
  strict: boolean,
): Promise<RpcResponse> {
  const { isBatch, messages } = readJsonRpc(bytes, limits);
  if (runner instanceof RpcError) return refusal(runner, mediaType, isBatch ? undefined : messages[0]?.id);
  if (isBatch) return ok(mediaType, await answerBatch(messages, runner));
  const { body, error } = await answerMessage(messages[0]!, runner);
  if (error === undefined || !(strict || isAlwaysTold(error))) return ok(mediaType, body);
  return { status: error.status, headers: { ...contentType(mediaType.name), ...errorHeaders(error) }, body };
}

const ok = (mediaType: MediaType, body: string): RpcResponse => ({
  status: 200,
  headers: body === '' ? {} : contentType(mediaType.name),
  body,
});

/** Errors with an HTTP status of their own. For all others it is 200, because many clients drop the body of other statuses. */
const isAlwaysTold = ({ rpcCode }: RpcError): boolean =>
  rpcCode === RPC.INVALID_REQUEST || rpcCode === RPC.UNAUTHENTICATED || rpcCode === RPC.RATE_LIMITED;

/** Runs the members in their order, one after the other. The answer is empty if all are notifications. */
async function answerBatch(messages: readonly JsonRpcMessage[], runner: CallRunner): Promise<string> {
  runner.admit(messages.length);
  const answers: string[] = [];
  for (const message of messages) {
    const { body } = await answerMessage(message, runner);
    if (body !== '') answers.push(body);
  }
  return answers.length === 0 ? '' : `[${answers.join(',')}]`;
}

/** A notification has an empty body. */
async function answerMessage(
  { id, call }: JsonRpcMessage,
  runner: CallRunner,
): Promise<{ readonly body: string; readonly error?: RpcError }> {
  try {
    if (call instanceof RpcError) throw runner.refused(call);
    const result = await runner.invoke(call);
    return { body: id === undefined ? '' : writeJsonRpcResult(result, id) };
  } catch (error) {
    if (id === undefined) return { body: '' };
    const told = toRpcError(error);
    return { body: writeJsonRpcError(told, id), error: told };
  }
}
