/** What other packages ask of terms: whether a literal is well formed, and which of two is less. */
import type * as RDF from '@rdfjs/types';
import { compareValues } from './compare.js';
import { LITERAL_PARSERS } from './parse-literal.js';
import { valueOf } from './value.js';

/** Whether the text is in the lexical space of the datatype. True for datatypes that are not known. */
export const isWellFormedLiteral = ({ value, datatype }: RDF.Literal): boolean => {
  const parser = LITERAL_PARSERS.get(datatype.value);
  return parser === undefined || parser(value) !== undefined;
};

/** The order of two terms as SPARQL's `<` sees it; `undefined` if they cannot be compared. */
export function compareTerms(left: RDF.Term, right: RDF.Term): -1 | 0 | 1 | undefined {
  const order = compareValues(valueOf(left), valueOf(right));
  return typeof order === 'number' ? order : undefined;
}
