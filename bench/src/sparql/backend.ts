/** The interface through which queries are measured. Each store is called as its documentation shows. */
import type { AnswerDigest } from './answer.js';

export interface QueryBackend {
  /** Reads the answer to its last row, as terms. Returns the number of rows or quads. */
  run(text: string, digest?: AnswerDigest): Promise<number>;
  /** Milliseconds of the last run, if the backend measures itself. */
  readonly elapsed?: () => number;
  close(): Promise<void>;
}
