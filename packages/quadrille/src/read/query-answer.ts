/** Answers of queries as the library gives them: lazy results, which close what they are read from. */
import type * as RDF from '@rdfjs/types';
import { lazySequence } from '@quadrille/model';
import type { SparqlAnswer } from '@quadrille/sparql';
import type { QueryAnswer, Results, Rows } from '../api/index.js';
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

/** The rows of an answer, which begins when they or their columns are asked for. */
export function lazyRows(open: () => Promise<AnswerOf<'bindings'>>, ends: ResultEnds): Rows {
  let started: Promise<AnswerOf<'bindings'>> | undefined;
  const start = (): Promise<AnswerOf<'bindings'>> => (started ??= open());
  return new LazyRows(
    () => closing(start, batchesOf),
    async () => (await start()).answer.variables,
    ends,
  );
}

export const lazyQuads = (open: () => Promise<AnswerOf<'quads'>>, ends: ResultEnds): Results<RDF.Quad> =>
  new LazyResults(() => closing(open, batchesOf), ends);

const batchesOf = <T>({ answer }: { answer: { batches: AsyncIterable<readonly T[]> } }): BatchSource<T> =>
  lazySequence(() => answer.batches);
