/** The parameter `compare`: how the answer of a SELECT differs between two revisions. */
import { badRequest } from '@quadrille/http';
import { EvaluationError } from '@quadrille/model';
import {
  literal,
  type PreparedRequest,
  type QueryOptions,
  type ReadView,
  type Row,
  rowsDocument,
  termToNTriples,
} from 'quadrille';
import type { Slice } from '../../parameters/sparql-parameters.js';
import { oneRef } from '../../parameters/revision-ref.js';

const CHANGE = 'change';
/** Bytes of the rows that are held, where the server sets no memory of a query. */
const MOST_BYTES = 256 * 1024 ** 2;
/** About what a held row takes beside the characters of its terms. */
const ROW_BYTES = 200;

/** The revision to compare with; `undefined` without the parameter. @throws HttpError 400 where there is nothing to compare */
export function comparedRef(parameters: URLSearchParams, kind: PreparedRequest['kind']): string | undefined {
  const text = parameters.get('compare');
  if (text === null) return undefined;
  const ref = oneRef(text);
  if (ref === undefined) throw badRequest('compare names no revision');
  if (kind !== 'select') throw badRequest('compare is for SELECT');
  if (parameters.has('explain')) throw badRequest('explain and compare do not go together');
  return ref;
}

export interface Comparison {
  readonly query: PreparedRequest;
  /** Of the revision that is read. */
  readonly view: ReadView;
  /** Of the revision that it is compared with. */
  readonly other: ReadView;
  readonly options: QueryOptions;
  readonly slice: Slice | undefined;
}

/**
 * The rows that only one of two answers has, with the column `change`: first those `added`, in the order of the answer, then those `removed`.
 * Rows are counted: of two equal ones of which one is left, one is removed. The answer of the other revision is held in memory, once for
 * equal rows.
 * @throws EvaluationError `QUERY_MEMORY`
 */
export function comparedAnswer(mediaType: string, comparison: Comparison): AsyncIterable<string> {
  const { query, view, options } = comparison;
  const rows = view.select(query.request, options);
  return lazyDocument(async () => {
    const variables = await rows.variables;
    if (variables.includes(CHANGE)) throw badRequest(`the query has a variable ?${CHANGE} of its own`);
    return rowsDocument(
      mediaType,
      [...variables, CHANGE],
      sliced(changes(rows, variables, comparison), comparison.slice),
    );
  });
}

async function* lazyDocument(open: () => Promise<AsyncIterable<string>>): AsyncGenerator<string> {
  yield* await open();
}

interface Held {
  readonly row: Row;
  count: number;
}

async function* changes(
  rows: AsyncIterable<Row>,
  variables: readonly string[],
  { query, other, options }: Comparison,
): AsyncGenerator<Row> {
  const before = new Map<string, Held>();
  let left = options.memoryBytes ?? MOST_BYTES;
  for await (const row of other.select(query.request, options)) {
    const key = keyOf(row, variables);
    const held = before.get(key);
    if (held !== undefined) {
      held.count++;
      continue;
    }
    // The key, and the terms of the row.
    left -= ROW_BYTES + 4 * key.length;
    if (left < 0) throw new EvaluationError('QUERY_MEMORY', 'the answer to compare with takes too much memory');
    before.set(key, { row, count: 1 });
  }
  for await (const row of rows) {
    const held = before.get(keyOf(row, variables));
    if (held !== undefined && held.count > 0) held.count--;
    else yield { ...row, [CHANGE]: literal('added') };
  }
  for (const { row, count } of before.values())
    for (let i = 0; i < count; i++) yield { ...row, [CHANGE]: literal('removed') };
}

/** No term has a line break in N-Triples. */
const keyOf = (row: Row, variables: readonly string[]): string =>
  variables.map((name) => (row[name] === undefined ? '' : termToNTriples(row[name]))).join('\n');

async function* sliced(rows: AsyncIterable<Row>, slice: Slice | undefined): AsyncGenerator<Row> {
  const { offset, limit } = slice ?? { offset: 0, limit: Infinity };
  if (limit <= 0) return;
  let index = 0;
  for await (const row of rows) {
    if (index >= offset) yield row;
    if (++index >= offset + limit) return;
  }
}
