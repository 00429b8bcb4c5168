/** Compares the answers of a query. What does the work is loaded with the first call. */
import type { AnswerDiff, QueryOptions, Ref, Repository, SparqlText } from '../api/index.js';
import { QUERY_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import type { ViewContext } from '../read/view.js';

/** Where a repository has what its answers are read from. */
export const CONTEXT = Symbol('context');
/** Where a repository of another process compares answers itself. */
export const COMPARES = Symbol.for('quadrille.compares');

interface Comparing {
  readonly [CONTEXT]: ViewContext;
  readonly [COMPARES]?: (text: SparqlText, from: Ref, to: Ref, options: QueryOptions) => Promise<AnswerDiff>;
}

/**
 * Compares the answers of a SELECT at two revisions. Where few quads differ and the query only joins, filters and projects patterns,
 * the difference follows from these quads (`path: 'delta'`). Else both answers are held in memory (`'rerun'`).
 * @param to the later revision; the head by default
 * @throws ParseError `SPARQL_SYNTAX`
 * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`; for a text that is no SELECT
 * @throws NotFoundError `REVISION_NOT_FOUND`
 * @throws EvaluationError `ABORTED`, `QUERY_TIMEOUT`, `QUERY_MEMORY`
 * @example
 * ```ts
 * import { answerDiff, open } from 'quadrille';
 *
 * await using db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * await repo.update`INSERT DATA { <urn:ann> <urn:name> 'Ann' }`;
 * const { added } = await answerDiff(repo, 'SELECT ?name { ?person <urn:name> ?name }', 1);
 * console.log(added.length); // 1
 * ```
 * @since 0.1.0
 */
export async function answerDiff(
  repository: Repository,
  text: SparqlText,
  from: Ref,
  to: Ref = 'HEAD',
  options: QueryOptions = {},
): Promise<AnswerDiff> {
  checkOptions(options, QUERY_OPTIONS, 'answerDiff');
  const comparing = repository as unknown as Comparing;
  const compares = comparing[COMPARES];
  if (compares !== undefined) return compares(text, from, to, options);
  const { answerSource, comparedAnswers } = await import('./index.js');
  return comparedAnswers(answerSource(repository, comparing[CONTEXT]), text, [from, to], options);
}
