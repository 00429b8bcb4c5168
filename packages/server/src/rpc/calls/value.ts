/** Values as both protocols carry them. What only one of them has (dates, bytes) is written in the nearest form of the other. */

export type RpcValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | readonly RpcValue[]
  /** Made with a null prototype where it was read: a member may have any name. */
  | RpcStruct;

/** Values by name. */
export interface RpcStruct {
  readonly [name: string]: RpcValue;
}
