/** What queries are asked of: each store through the interface that its own documentation shows. */
import type { AnswerDigest } from './answer.js';

export interface QueryBackend {
  /** Reads the answer to its last row, as terms. How many rows (quads) there were. */
  run(text: string, digest?: AnswerDigest): Promise<number>;
  close(): Promise<void>;
}
