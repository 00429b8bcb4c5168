/** A call as it was read, whatever it was written in. */
import type { RpcStruct, RpcValue } from './value.js';

export interface RpcCall {
  readonly method: string;
  /** By position, by name, or left out. */
  readonly params: readonly RpcValue[] | RpcStruct | undefined;
}

/** The limits that a reader checks before it builds anything. */
export interface ReadLimits {
  /** Arrays and structs inside each other. */
  readonly maxDepth: number;
}
