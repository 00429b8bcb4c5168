/** Terms and graphs in parameters: N-Triples, or an absolute IRI without brackets. */
import { isAbsoluteIri, isLongIri, LONG_IRI } from '@quadrille/model';
import type { Graph } from '../host/index.js';
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, parseTerm } from 'quadrille';

/** Makes the error of an interface from a message. */
export type Refuse = (message: string) => Error;

/** @throws the error of `refuse` for a text that is no term. `name` is the one of the parameter */
export function readTerm(text: string, name: string, refuse: Refuse): RDF.Term {
  const trimmed = text.trim();
  try {
    if (/^(?:<|_:|")/.test(trimmed)) return parseTerm(trimmed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refuse(`${name} is not an N-Triples term: ${trimmed.slice(0, 100)}: ${why}`);
  }
  if (isLongIri(trimmed)) throw refuse(`${name}: ${LONG_IRI}`);
  if (isAbsoluteIri(trimmed)) return iri(trimmed);
  throw refuse(`${name} is neither an N-Triples term nor an absolute IRI: ${trimmed.slice(0, 200)}`);
}

const ALIAS = /^urn:(?:quadrille|dydra):(default|named|all)$/;

/** A graph, or an IRI that stands for all or for the named ones. `default` is the default graph. */
export function readGraph(text: string, name: string, refuse: Refuse): Graph | 'all' | 'named' {
  if (text.trim() === 'default') return defaultGraph();
  const term = readTerm(text, name, refuse);
  if (term.termType === 'BlankNode') return term;
  if (term.termType !== 'NamedNode') throw refuse(`${name}: a ${term.termType} cannot name a graph`);
  const alias = ALIAS.exec(term.value)?.[1];
  if (alias === 'default') return defaultGraph();
  return alias === 'all' || alias === 'named' ? alias : term;
}

/** An absolute IRI. */
export function readIri(text: string, name: string, refuse: Refuse): string {
  const term = readTerm(text, name, refuse);
  if (term.termType !== 'NamedNode') throw refuse(`${name} is not an IRI: ${text.slice(0, 200)}`);
  return term.value;
}
