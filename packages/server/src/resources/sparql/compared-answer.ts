/** The parameter `compare`: how the answer of a SELECT differs between two revisions. */
import { badRequest, refuseParameter } from '../../http/index.js';
import {
  answerDiff,
  type AnswerDiff,
  literal,
  type PreparedRequest,
  type QueryOptions,
  type Repository,
  type Revision,
  type Row,
  rowsDocument,
} from 'quadrille';
import type { Slice } from '../../parameters/sparql-parameters.js';
import { oneRef } from '../../parameters/revision-ref.js';

const CHANGE = 'change';
/** The revision to compare with; `undefined` without the parameter. @throws HttpError 400 where there is nothing to compare */
export function comparedRef(parameters: URLSearchParams, kind: PreparedRequest['kind']): string | undefined {
  const text = parameters.get('compare');
  if (text === null) return undefined;
  const ref = oneRef(text);
  if (ref === undefined) throw refuseParameter('compare')('compare names no revision');
  if (kind !== 'select') throw refuseParameter('compare')('compare is for SELECT');
  if (parameters.has('explain')) throw refuseParameter('compare')('explain and compare do not go together');
  return ref;
}

export interface Comparison {
  readonly query: PreparedRequest;
  readonly repository: Repository;
  /** The revision that is read. */
  readonly revision: Revision;
  /** The revision that it is compared with. */
  readonly other: Revision;
  readonly options: QueryOptions;
  readonly slice: Slice | undefined;
}

/**
 * The rows that only one of two answers has, with the column `change`: first those `added`, in the order of the answer, then those `removed`.
 * Rows are counted: of two equal ones of which one is left, one is removed.
 * @throws EvaluationError `QUERY_MEMORY`
 */
export async function* comparedAnswer(mediaType: string, comparison: Comparison): AsyncGenerator<string> {
  const { query, repository, revision, other, options, slice } = comparison;
  const difference = await answerDiff(repository, query.request, other, revision, options);
  const { variables } = difference;
  if (variables.includes(CHANGE)) throw badRequest(`the query has a variable ?${CHANGE} of its own`);
  yield* rowsDocument(mediaType, [...variables, CHANGE], sliced(changes(difference), slice));
}

function* changes({ added, removed }: AnswerDiff): Generator<Row> {
  for (const row of added) yield { ...row, [CHANGE]: literal('added') };
  for (const row of removed) yield { ...row, [CHANGE]: literal('removed') };
}

function* sliced(rows: Iterable<Row>, slice: Slice | undefined): Generator<Row> {
  const { offset, limit } = slice ?? { offset: 0, limit: Infinity };
  if (limit <= 0) return;
  let index = 0;
  for (const row of rows) {
    if (index >= offset) yield row;
    if (++index >= offset + limit) return;
  }
}
