/** Writes RDF Patch in the preferred style: a row a line, one space between tokens and before the dot. */
import { escapeLexicalForm, InvalidArgumentError, isBlankNodeLabel, termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { patchLabel } from './patch-labels.js';
import type { PatchRow } from './patch-rows.js';

/** A row to write. Its line does not matter. */
export type PatchRowInput = PatchRow extends infer Row ? (Row extends unknown ? Omit<Row, 'line'> : never) : never;

const MARKS = { begin: 'TX .\n', commit: 'TC .\n', abort: 'TA .\n' } as const;
const WORD = /^\p{L}[\p{L}\p{N}_-]*$/u;

/**
 * The text of a row, with its line end. Blank nodes are written as `<_:label>`, which every reader of RDF Patch takes for the name of
 * the node in the store.
 * @throws InvalidArgumentError `INVALID_TERM` for a blank node with a label that cannot be stored.
 */
export function patchRowText(row: PatchRowInput): string {
  switch (row.type) {
    case 'header':
      return `H ${nameText(row.name)} ${termText(row.value)} .\n`;
    case 'add':
      return `A ${quadText(row.quad)}`;
    case 'delete':
      return `D ${quadText(row.quad)}`;
    case 'add prefix':
      return `PA ${stringText(row.name)} ${stringText(row.iri)}${graphText(row.graph)} .\n`;
    case 'delete prefix':
      return `PD ${stringText(row.name)}${graphText(row.graph)} .\n`;
    default:
      return MARKS[row.type];
  }
}

function quadText({ subject, predicate, object, graph }: RDF.Quad): string {
  return `${termText(subject)} ${termText(predicate)} ${termText(object)}${graphText(graph)} .\n`;
}

function graphText(graph: RDF.Term): string {
  return graph.termType === 'DefaultGraph' ? '' : ` ${termText(graph)}`;
}

function termText(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}>`;
    case 'BlankNode':
      return labelText(term.value);
    case 'Quad':
      return `<<( ${termText(term.subject)} ${termText(term.predicate)} ${termText(term.object)} )>>`;
    default:
      return termToNTriples(term);
  }
}

function labelText(label: string): string {
  if (!isBlankNodeLabel(label)) {
    throw new InvalidArgumentError(
      'INVALID_TERM',
      `not a legal blank node label: ${JSON.stringify(label.slice(0, 100))}`,
    );
  }
  return `<_:${patchLabel(label)}>`;
}

// Most readers take the name of a header as a word only.
const nameText = (name: string): string => (WORD.test(name) ? name : stringText(name));

const stringText = (text: string): string => `"${escapeLexicalForm(text)}"`;
