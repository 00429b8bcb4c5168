/** What XML 1.0 can carry. */
import { EvaluationError, printTerm } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;

/**
 * The value of a term, which XML can carry.
 * @throws EvaluationError `UNSUPPORTED` for control characters, which no escape can bring into XML
 */
export function xmlText(term: RDF.Term): string {
  const { value } = term;
  if (NOT_XML.test(value)) {
    throw new EvaluationError(
      'UNSUPPORTED',
      `XML cannot carry a control character; write another format: ${printTerm(term)}`,
    );
  }
  return value;
}
