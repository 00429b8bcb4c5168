/** Answers of another engine, listed among the evaluations that run. */
import { readableText } from '../algebra/template.js';
import type { SparqlRequest } from './prepare.js';
import type { SparqlAnswer, SparqlEngine } from './sparql-engine.js';
import type { QueryableDataset } from '../dataset/dataset.js';
import type { EvaluationOptions } from './options.js';
import type { Running, RunningQueries } from './running.js';

export async function fallbackAnswer(
  engine: SparqlEngine,
  list: RunningQueries,
  request: SparqlRequest,
  dataset: QueryableDataset,
  options: EvaluationOptions,
): Promise<SparqlAnswer> {
  const { task } = options;
  const cancelled = new AbortController();
  const signals = options.signal === undefined ? [cancelled.signal] : [options.signal, cancelled.signal];
  const begin = (): Running =>
    task ?? list.add('query', readableText(request), options.repository, { fail: (error) => cancelled.abort(error) });
  const end = (entry: Running): void => {
    if (entry !== task) list.remove(entry);
  };
  const entry = begin();
  let answer: SparqlAnswer;
  try {
    answer = await engine.query(request, dataset, { ...options, signal: AbortSignal.any(signals) });
  } finally {
    end(entry);
  }
  const listed = <T>(batches: AsyncIterable<readonly T[]>): AsyncIterable<readonly T[]> => counted(batches, begin, end);
  switch (answer.type) {
    case 'boolean':
      return answer;
    case 'quads':
      return { ...answer, batches: listed(answer.batches) };
    default:
      return { ...answer, batches: listed(answer.batches) };
  }
}

async function* counted<T>(
  batches: AsyncIterable<readonly T[]>,
  begin: () => Running,
  end: (entry: Running) => void,
): AsyncGenerator<readonly T[]> {
  const entry = begin();
  try {
    for await (const batch of batches) {
      entry.rows += batch.length;
      yield batch;
    }
  } finally {
    end(entry);
  }
}
