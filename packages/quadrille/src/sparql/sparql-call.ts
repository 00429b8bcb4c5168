/** Calls that take a query as a text with options, or as a tagged template. */
import { InvalidArgumentError } from '@quadrille/model';
import { isSparqlTemplate, sparql } from '@quadrille/sparql/template';
import type { SparqlCall, SparqlText } from '../api/index.js';

export function sparqlCall<Result, Options>(
  run: (text: SparqlText, options?: Options) => Result,
): SparqlCall<Result, Options> {
  return (first: SparqlText | TemplateStringsArray, ...rest: unknown[]): Result => {
    if (Array.isArray(first))
      return run(
        sparql(
          first as unknown as TemplateStringsArray,
          ...(rest as Parameters<typeof sparql> extends [unknown, ...infer V] ? V : never),
        ),
      );
    if (typeof first !== 'string' && !isSparqlTemplate(first)) {
      throw new InvalidArgumentError(
        'INVALID_OPTION',
        'a query is a text, a tagged template, or what the sparql tag gives',
      );
    }
    return run(first as SparqlText, rest[0] as Options | undefined);
  };
}
