/** Checks texts for characters that XML 1.0 cannot represent. */
import { EvaluationError, printTerm } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;

/**
 * The value of a term, if XML can represent it.
 * @throws EvaluationError `UNSUPPORTED` for control characters, for which XML has no escapes
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
