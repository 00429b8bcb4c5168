import type * as RDF from '@rdfjs/types';

/** What statements can be put into or removed from. */
export type Graph = RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;
