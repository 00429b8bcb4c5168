/** Runs the messages of a JSON-RPC request and writes what is answered. */
import { toRpcError } from '../failure.js';
import type { CallRunner } from '../run-calls.js';
import { RPC, RpcError } from '../rpc-error.js';
import type { JsonRpcMessage, JsonRpcRequest } from './read.js';

export interface JsonRpcAnswer {
  /** Empty where nothing but notifications came. */
  readonly body: string;
  /** Of a single call that failed. */
  readonly error?: RpcError;
}

/** One after the other, in their order. */
export async function answerJsonRpc({ isBatch, messages }: JsonRpcRequest, runner: CallRunner): Promise<JsonRpcAnswer> {
  if (!isBatch) return answerMessage(messages[0]!, runner);
  runner.admit(messages.length);
  const answers: string[] = [];
  for (const message of messages) {
    const { body } = await answerMessage(message, runner);
    if (body !== '') answers.push(body);
  }
  return { body: answers.length === 0 ? '' : `[${answers.join(',')}]` };
}

async function answerMessage({ id, call }: JsonRpcMessage, runner: CallRunner): Promise<JsonRpcAnswer> {
  try {
    if (call instanceof RpcError) throw call;
    const result = await runner.invoke(call);
    return { body: id === undefined ? '' : `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}` };
  } catch (error) {
    if (id === undefined) return { body: '' };
    const told = toRpcError(error);
    return { body: writeJsonRpcError(told, id), error: told };
  }
}

/** `id` as it was written. */
export function writeJsonRpcError({ rpcCode, message, data }: RpcError, id = 'null'): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: rpcCode, message, data })}}`;
}

/** Whether the HTTP status of a single call tells of its error even where clients are spared others (interface, section 10). */
export const isAlwaysTold = ({ rpcCode }: RpcError): boolean =>
  rpcCode === RPC.INVALID_REQUEST || rpcCode === RPC.UNAUTHENTICATED || rpcCode === RPC.RATE_LIMITED;
