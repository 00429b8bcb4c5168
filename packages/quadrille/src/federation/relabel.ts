/** Blank nodes of another document, made ones that no other document has. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';

/** The beginning of labels that nothing else begins with. */
export const freshPrefix = (): string => `b${globalThis.crypto.randomUUID().replaceAll('-', '')}`;

type Row = Readonly<Record<string, RDF.Term>>;

/** Relabels the rows of one answer; equal labels stay one node. Rows without blank nodes are given back as they are. */
export function relabelled(): (row: Row) => Row {
  const prefix = freshPrefix();
  const relabel = (term: RDF.Term): RDF.Term => {
    if (term.termType === 'BlankNode') return dataFactory.blankNode(prefix + term.value);
    if (term.termType !== 'Quad') return term;
    return dataFactory.quad(
      relabel(term.subject) as RDF.Quad_Subject,
      relabel(term.predicate) as RDF.Quad_Predicate,
      relabel(term.object) as RDF.Quad_Object,
    );
  };
  return (row) => {
    const entries = Object.entries(row);
    if (!entries.some(([, { termType }]) => termType === 'BlankNode' || termType === 'Quad')) return row;
    const fresh: Record<string, RDF.Term> = Object.create(null);
    for (const [name, term] of entries) fresh[name] = relabel(term);
    return fresh;
  };
}
