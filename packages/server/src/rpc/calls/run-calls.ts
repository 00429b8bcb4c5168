/** Runs the calls of one request, for one caller, within one budget. */
import { type Caller, isKnown, type Service } from '../../host/index.js';
import type { RpcCall } from './call.js';
import { toRpcError } from './failure.js';
import type { RpcLimits } from './limits.js';
import type { MethodRegistry } from '../methods/registry.js';
import type { RpcResult, RpcResultStruct, Session } from '../methods/method.js';
import { valuesOf } from './parameters.js';
import { RPC, RpcError } from './rpc-error.js';

export interface RunContext {
  readonly service: Service;
  readonly registry: MethodRegistry;
  readonly limits: RpcLimits;
  readonly caller: Caller;
  readonly address: string;
  /** As how many requests a call counts. */
  readonly cost: number;
  readonly base: string;
  /** Hears of mistakes of ours. */
  readonly onFailure: (error: unknown) => void;
}

/** Stands for the method of what names none that there is. */
export const NO_METHOD = 'none';
/** Its result is made of those of its members, which are counted. */
const MULTICALL = 'system.multicall';

export class CallRunner implements Session {
  readonly #context: RunContext;
  #deadline = Number.POSITIVE_INFINITY;
  #admitted = 1;
  #resultBytes = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  get service(): Service {
    return this.#context.service;
  }

  get caller(): Caller {
    return this.#context.caller;
  }

  get base(): string {
    return this.#context.base;
  }

  /** Rejects with an RpcError and nothing else. */
  readonly invoke = async ({ method, params }: RpcCall): Promise<RpcResult> => {
    const start = performance.now();
    let name = NO_METHOD;
    const count = (code: string): void => this.service.calls.count(name, code, (performance.now() - start) / 1000);
    try {
      const found = this.#context.registry.need(method);
      name = found.names[0];
      if (performance.now() > this.#deadline) {
        throw new RpcError(RPC.INTERNAL_ERROR, 'the batch exceeded its time limit; this call was not run');
      }
      if (this.#resultBytes > this.#context.limits.batchBytes) {
        const message = 'the results of the calls before this one are too long; it was not run';
        throw new RpcError(RPC.FORBIDDEN, message, { code: 'RESULT_TOO_LARGE', status: 413 });
      }
      if (found.right !== 'public' && !isKnown(this.caller)) {
        throw new RpcError(RPC.UNAUTHENTICATED, 'credentials are required');
      }
      const result = await found.run(this, valuesOf(found, params) as never);
      if (name !== MULTICALL) this.#resultBytes += sizeOf(result);
      count('ok');
      return result;
    } catch (error) {
      const told = toRpcError(error);
      count(String(told.rpcCode));
      if (told.rpcCode === RPC.INTERNAL_ERROR) this.#context.onFailure(error);
      throw told;
    }
  };

  /** Counts what is no call. */
  refused(error: RpcError): RpcError {
    this.service.calls.count(NO_METHOD, String(error.rpcCode), 0);
    return error;
  }

  /** The request itself is counted; its members are from the second one on. */
  readonly admit = (calls: number): void => {
    const { service, limits, caller, address, cost } = this.#context;
    this.#admitted += Math.max(0, calls - 1);
    if (this.#admitted > limits.batchCalls) {
      throw new RpcError(RPC.INVALID_REQUEST, `a batch may have at most ${String(limits.batchCalls)} members`);
    }
    if (calls > 1) service.requests?.count(caller, address, cost * (calls - 1));
    this.#deadline = Math.min(this.#deadline, performance.now() + limits.batchMs);
  };
}

/** About how many bytes a result takes as text. */
function sizeOf(result: RpcResult): number {
  if (typeof result === 'string') return result.length;
  if (typeof result !== 'object' || result === null) return 8;
  let size = 8;
  for (const [name, value] of Object.entries(result as RpcResultStruct)) size += name.length + sizeOf(value);
  return size;
}
