/** N-Triples and N-Quads in canonical form: one line for each quad, in the order given. */
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { RdfSerializer } from '../registry.js';

/** A serialiser for N-Quads, or without `graphs` for N-Triples; the same triple of two graphs then comes twice. */
export function createLineSerializer({ graphs }: { readonly graphs: boolean }): RdfSerializer {
  return {
    write: (quads) => writeLines(quads, graphs),
    end: () => '',
  };
}

function writeLines(quads: readonly RDF.Quad[], graphs: boolean): string {
  const texts = new Map<RDF.Term, string>();
  let lines = '';
  for (const { subject, predicate, object, graph } of quads) {
    lines += `${textOf(texts, subject)} ${textOf(texts, predicate)} ${textOf(texts, object)}`;
    if (graphs && graph.termType !== 'DefaultGraph') lines += ` ${textOf(texts, graph)}`;
    lines += ' .\n';
  }
  return lines;
}

// IRIs and blank nodes are as cheap to write as to look up.
function textOf(texts: Map<RDF.Term, string>, term: RDF.Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`;
  if (term.termType === 'BlankNode') return `_:${term.value}`;
  let text = texts.get(term);
  if (text === undefined) texts.set(term, (text = termToText(term)));
  return text;
}
