/** What a request may cost, with the defaults of the interface (section 8). */

export interface RpcLimits {
  readonly jsonBytes: number;
  readonly xmlBytes: number;
  /** Arrays and structs inside each other. */
  readonly maxDepth: number;
  /** Members of a batch or a multicall. */
  readonly batchCalls: number;
  /** Members of a batch that are not begun by then are refused. */
  readonly batchMs: number;
  /** Of the results of a batch together: members that are not begun by then are refused. */
  readonly batchBytes: number;
}

export const DEFAULT_LIMITS: RpcLimits = {
  jsonBytes: 1024 ** 2,
  xmlBytes: 256 * 1024,
  maxDepth: 16,
  batchCalls: 100,
  batchMs: 30_000,
  batchBytes: 16 * 1024 ** 2,
};

/** A call without User-Agent counts as so many (specification, section 8). */
export const COST_WITHOUT_USER_AGENT = 10;
