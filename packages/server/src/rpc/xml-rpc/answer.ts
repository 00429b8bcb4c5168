/** Answers a call in XML-RPC. The HTTP status is 200 whatever becomes of it, as its specification has it. */
import type { RpcCall } from '../calls/call.js';
import { toRpcError } from '../calls/failure.js';
import type { RpcLimits } from '../calls/limits.js';
import { contentType, type RpcResponse } from '../http/response.js';
import { RpcError } from '../calls/rpc-error.js';
import type { CallRunner } from '../calls/run-calls.js';
import type { MediaType } from '../http/transport.js';
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
    const call = readCall(bytes, limits, runner);
    if (runner instanceof RpcError) throw runner;
    return { status: 200, headers, body: writeXmlResponse(await runner.invoke(call), options) };
  } catch (error) {
    return { status: 200, headers, body: writeXmlFault(toRpcError(error)) };
  }
}

function readCall(bytes: Uint8Array, limits: RpcLimits, runner: CallRunner | RpcError): RpcCall {
  try {
    return readXmlCall(bytes, limits);
  } catch (error) {
    const told = toRpcError(error);
    throw runner instanceof RpcError ? told : runner.refused(told);
  }
}
