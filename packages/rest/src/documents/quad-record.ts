/** A quad in JSON: its terms as N-Triples, so that they can be sent back as parameters. */
import type * as RDF from '@rdfjs/types';
import { termToText } from 'quadrille';

export interface QuadRecord {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** `null`: the default graph. */
  readonly graph: string | null;
}

export const quadRecord = ({ subject, predicate, object, graph }: RDF.BaseQuad): QuadRecord => ({
  subject: termToText(subject),
  predicate: termToText(predicate),
  object: termToText(object),
  graph: graph.termType === 'DefaultGraph' ? null : termToText(graph),
});
