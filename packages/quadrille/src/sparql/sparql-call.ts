/** Calls that take a query as a text with options, or as a tagged template. */
import { InvalidArgumentError } from '@quadrille/model';
import { isSparqlTemplate, sparql } from '@quadrille/sparql/template';
import type { JsRow, Row, Rows, SelectCall, SelectOptions, SparqlCall, SparqlText } from '../api/index.js';

export function sparqlCall<Result, Options>(
  run: (text: SparqlText, options?: Options) => Result,
): SparqlCall<Result, Options> {
  return (first: SparqlText | TemplateStringsArray, ...rest: unknown[]): Result => {
    if (isTemplateStrings(first)) return run(sparql(first, ...rest));
    if (typeof first !== 'string' && !isSparqlTemplate(first)) {
      throw new InvalidArgumentError(
        'INVALID_OPTION',
        'a query is a text, a tagged template, or what the sparql tag gives',
      );
    }
    return run(first as SparqlText, rest[0] as Options | undefined);
  };
}

/** A call for SELECT. The caller chooses the type of its rows, which nothing checks. */
export function selectCall(run: (text: SparqlText, options?: SelectOptions) => Rows<Row | JsRow>): SelectCall {
  return sparqlCall(run) as SelectCall;
}

/** Only what a tagged template gives: a list of other strings is a mistake. */
function isTemplateStrings(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && 'raw' in value;
}
