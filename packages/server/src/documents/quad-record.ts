/** A quad in JSON: its terms as N-Triples, so that they can be sent back as parameters. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from 'quadrille';

export interface QuadRecord {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** `null`: the default graph. */
  readonly graph: string | null;
}

export const quadRecord = ({ subject, predicate, object, graph }: RDF.BaseQuad): QuadRecord => ({
  subject: termToNTriples(subject),
  predicate: termToNTriples(predicate),
  object: termToNTriples(object),
  graph: graph.termType === 'DefaultGraph' ? null : termToNTriples(graph),
});
