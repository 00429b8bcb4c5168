/** What the parts of the writer of SPARQL text use of one another. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation } from '../../algebra/algebra.js';

export interface TextWriter {
  /**
   * A term that stands for itself.
   * @throws EvaluationError `UNSUPPORTED` for one that no text can hold, such as a stored blank node
   */
  term(term: RDF.Term): string;
  /** What stands between the braces of a group. */
  group(operation: Operation): string;
  expression(expression: Expression): string;
}
