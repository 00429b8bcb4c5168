/** How an operation is described. */
import type { ParameterName } from '../parameters/known-parameters.js';
import type { RecordName } from './records.js';

/** A record, or a list or a map of them. */
export type Shape = RecordName | { readonly list: RecordName } | { readonly map: RecordName };

export interface OperationDescription {
  readonly summary: string;
  /** Those that a request has to have. */
  readonly needs?: readonly ParameterName[];
  /** Media types of the body. */
  readonly takes?: readonly string[];
  /** The schema of a JSON body. */
  readonly sends?: RecordName;
  /** Whether a request may come without a body. Default false where it takes one. */
  readonly bodyless?: boolean;
  /** Media types of the answer; none where it has no body. */
  readonly gives?: readonly string[];
  /** The schema of a JSON answer. Default: any value. */
  readonly shape?: Shape;
  /** Status of success. Default 200 with a body, else 204. */
  readonly status?: number;
  /** Other statuses of success, without a body. */
  readonly also?: readonly number[];
  /** Statuses of failure beyond those of every operation of its kind. */
  readonly fails?: readonly number[];
}
