/** The shapes of states in memory, as they were read, for the next change. After a failure another state takes the place of one. */
import type { Candidate } from '@quadrille/core';
import type { ShapesValidator } from '@quadrille/shacl';

export type Timeline = Candidate['timeline'];

interface KnownShapes {
  readonly shapes: string;
  readonly strict: boolean;
  readonly validator: ShapesValidator;
  /** The mark of the dictionary when its terms were looked up; `undefined` if all were found. */
  readonly missingAt: number | undefined;
}

export const knownShapes: WeakMap<Timeline, KnownShapes> = new WeakMap();
