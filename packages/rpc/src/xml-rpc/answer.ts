/** Answers a call in XML-RPC. The HTTP status is 200 whatever becomes of it, as its specification has it. */
import { toRpcError } from '../failure.js';
import type { RpcLimits } from '../limits.js';
import { contentType, type RpcResponse } from '../response.js';
import { RpcError } from '../rpc-error.js';
import type { CallRunner } from '../run-calls.js';
import type { MediaType } from '../transport.js';
import { readXmlCall, writeXmlFault, writeXmlResponse, type XmlWriteOptions } from './index.js';

/** `runner` is an error where the credentials are wrong. */
export async function answerXmlRpc(
  bytes: Uint8Array,
  mediaType: MediaType,
  runner: CallRunner | RpcError,
  limits: RpcLimits,
  options: XmlWriteOptions,
): Promise<RpcResponse> {
  const headers = contentType(mediaType.name);
  try {
    const call = readXmlCall(bytes, limits);
    if (runner instanceof RpcError) throw runner;
    return { status: 200, headers, body: writeXmlResponse(await runner.invoke(call), options) };
  } catch (error) {
    return { status: 200, headers, body: writeXmlFault(toRpcError(error)) };
  }
}
