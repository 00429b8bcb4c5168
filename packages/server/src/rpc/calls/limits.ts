/** The limits of a request, with their defaults. */

export interface RpcLimits {
  /** Longest body of JSON, in bytes. */
  readonly jsonBytes: number;
  /** Longest body of XML, in bytes. */
  readonly xmlBytes: number;
  /** Nesting of arrays and structs. */
  readonly maxDepth: number;
  /** Members of a batch or a multicall. */
  readonly batchCalls: number;
  /** Members of a batch that have not started within this time are refused. */
  readonly batchMs: number;
  /** When the results of a batch have more bytes together, its remaining members are refused. */
  readonly batchBytes: number;
}

/** The limits of a handler, where the options do not say otherwise. */
export const DEFAULT_LIMITS: RpcLimits = {
  jsonBytes: 1024 ** 2,
  xmlBytes: 256 * 1024,
  maxDepth: 16,
  batchCalls: 100,
  batchMs: 30_000,
  batchBytes: 16 * 1024 ** 2,
};

/** A call without User-Agent counts as so many. */
export const COST_WITHOUT_USER_AGENT = 10;
