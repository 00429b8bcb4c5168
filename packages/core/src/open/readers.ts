/** The snapshots of a generation that are open. */
import type { QuadrilleError } from '@quadrille/model';

export class Readers {
  /** Number of open snapshots. */
  count = 0;
  /** The error with which they were ended. */
  ended: QuadrilleError | undefined;
}
