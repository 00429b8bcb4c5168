/** What a caller wants erased, as ids. */
import type * as RDF from '@rdfjs/types';
import { checkQuads, quadIds } from '../dictionary/encode-quads.js';
import type { Timeline } from '../timeline/timeline.js';
import type { TermPattern } from '../read/snapshot.js';
import { Snapshot } from '../read/snapshot.js';
import type { Pacer } from '../runtime/env.js';
import type { Selection } from './selection.js';
import { withContaining } from './selection.js';

/** All quads with a term at any place, also inside of triple terms; those that match a pattern; or some quads. */
export type EraseTarget =
  | {
      /** An IRI, a blank node, a literal or a triple term. */
      readonly term: RDF.Term;
    }
  | {
      /** At least one of its members is a term. */
      readonly pattern: TermPattern;
    }
  | {
      /** Those that no revision has do not matter. */
      readonly quads: readonly RDF.Quad[];
    };

/** `undefined` if no revision can have such a quad, because a term of it is not there. */
export async function selectionOf(
  timeline: Timeline,
  target: EraseTarget,
  pacer: Pacer,
): Promise<Selection | undefined> {
  if ('term' in target) {
    const id = await timeline.encoder.encode(target.term);
    return id === 0 ? undefined : { terms: await withContaining(timeline.dictionary, id, pacer) };
  }
  if ('pattern' in target) {
    const snapshot = new Snapshot(timeline, timeline.published);
    try {
      const pattern = await snapshot.ids(target.pattern);
      return pattern && { pattern };
    } finally {
      snapshot.close();
    }
  }
  await checkQuads(target.quads, pacer);
  const { length, s, p, o, g } = await quadIds(timeline, target.quads, false, pacer);
  const quads: number[] = [];
  for (let i = 0; i < length; i++) quads.push(s[i]!, p[i]!, o[i]!, g[i]!);
  return length === 0 ? undefined : { quads };
}
