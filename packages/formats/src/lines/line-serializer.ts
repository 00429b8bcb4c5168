/** Writes N-Triples and N-Quads: one line for each quad, in the order given. Except for the case of language tags, the form is canonical. */
import { termToNTriples, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { RdfSerializer, SerializerOptions } from '../registry.js';

export interface LineSerializerOptions extends Pick<SerializerOptions, 'canonical'> {
  /** Whether to write graph names (N-Quads). Without them a triple that is in two graphs is written twice. */
  readonly graphs: boolean;
}

/** A serialiser for N-Quads, or without `graphs` for N-Triples. */
export function createLineSerializer(options: LineSerializerOptions): RdfSerializer {
  return {
    write: (quads) => writeLines(quads, options),
    end: () => '',
  };
}

function writeLines(quads: readonly RDF.Quad[], { graphs, canonical = false }: LineSerializerOptions): string {
  const texts = new Map<RDF.Term, string>();
  const literalText = canonical ? termToText : termToNTriples;
  // Writing an IRI or a blank node costs as much as a lookup, so only literals are cached.
  const textOf = (term: RDF.Term): string => {
    if (term.termType === 'NamedNode') return `<${term.value}>`;
    if (term.termType === 'BlankNode') return `_:${term.value}`;
    let text = texts.get(term);
    if (text === undefined) texts.set(term, (text = literalText(term)));
    return text;
  };
  let lines = '';
  for (const { subject, predicate, object, graph } of quads) {
    lines += `${textOf(subject)} ${textOf(predicate)} ${textOf(object)}`;
    if (graphs && graph.termType !== 'DefaultGraph') lines += ` ${textOf(graph)}`;
    lines += ' .\n';
  }
  return lines;
}
