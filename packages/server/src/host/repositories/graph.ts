import type * as RDF from '@rdfjs/types';

/** A graph that statements can be added to or removed from. */
export type Graph = RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;
