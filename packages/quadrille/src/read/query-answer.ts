/** Answers of queries as the library gives them: lazy results, which close what they are read from. */
import type * as RDF from '@rdfjs/types';
import { lazySequence } from '@quadrille/model';
import type { SparqlAnswer } from '@quadrille/sparql';
import type { JsRow, QueryAnswer, QueryOptions, Results, Row, Rows, SelectOptions } from '../api/index.js';
import { SELECT_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import { moreData } from '../sparql/query-pins.js';
import { type BatchSource, LazyResults, LazyRows, type ResultEnds } from './results.js';
import { abandon, closing, type Started } from './snapshot-source.js';

export type AnswerOf<K extends SparqlAnswer['type']> = Started<Extract<SparqlAnswer, { type: K }>>;

/** The answer of a query that must be of one kind. @throws InvalidArgumentError `INVALID_OPTION` for another one */
export async function ofKind<K extends SparqlAnswer['type']>(
  kind: K,
  { answer, snapshot }: Started<SparqlAnswer>,
): Promise<AnswerOf<K>> {
  if (answer.type === kind) return { answer: answer as AnswerOf<K>['answer'], snapshot };
  snapshot.close();
  throw (await moreData()).wrongKind(kind, answer.type);
}

export function queryAnswer({ answer, snapshot }: Started<SparqlAnswer>, ends: ResultEnds): QueryAnswer {
  const results = <T>(items: AsyncIterable<readonly T[]>): Results<T> =>
    new LazyResults(
      () =>
        closing(
          () => ({ answer, snapshot }),
          () => lazySequence(() => items),
        ),
      { ...ends, unread: () => abandon(items, snapshot) },
    );
  if (answer.type === 'bindings')
    return { type: 'bindings', variables: answer.variables, rows: results(answer.batches) };
  if (answer.type === 'quads') return { type: 'quads', quads: results(answer.batches) };
  snapshot.close();
  return answer;
}

/**
 * The rows of an answer, which begins when they or their columns are asked for. Wrong options are told then, too.
 * @param open begins the answer, with the options that are not about rows
 */
export function lazyRows(
  open: (options: QueryOptions | undefined) => Promise<AnswerOf<'bindings'>>,
  options: SelectOptions | undefined,
  ends: ResultEnds,
): Rows<Row | JsRow> {
  let started: Promise<AnswerOf<'bindings'>> | undefined;
  const begin = async (): Promise<AnswerOf<'bindings'>> => open(withoutValues(options));
  const start = (): Promise<AnswerOf<'bindings'>> => (started ??= begin());
  return new LazyRows<Row | JsRow>(
    () => (options?.values === 'js' ? closing(start, jsBatches) : closing(start, batchesOf)),
    async () => (await start()).answer.variables,
    ends,
  );
}

function withoutValues(options: SelectOptions | undefined): QueryOptions | undefined {
  // Anything else is checked, or refused, with the options of queries.
  if (typeof options !== 'object' || options === null || !('values' in options)) return options;
  checkOptions(options, SELECT_OPTIONS, 'select');
  const { values: _, ...others } = options;
  return others;
}

async function jsBatches(started: AnswerOf<'bindings'>): Promise<BatchSource<JsRow>> {
  const { jsValue } = await import('@quadrille/sparql');
  const values = (row: Row): JsRow =>
    Object.fromEntries(Object.entries(row).map(([name, term]) => [name, jsValue(term)]));
  const rows = batchesOf(started);
  return {
    async next() {
      return (await rows.next())?.map(values);
    },
    close: () => rows.close(),
  };
}

export const lazyQuads = (open: () => Promise<AnswerOf<'quads'>>, ends: ResultEnds): Results<RDF.Quad> =>
  new LazyResults(() => closing(open, batchesOf), ends);

const batchesOf = <T>({ answer }: { answer: { batches: AsyncIterable<readonly T[]> } }): BatchSource<T> =>
  lazySequence(() => answer.batches);
