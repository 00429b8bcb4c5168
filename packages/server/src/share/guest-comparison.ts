/** Compares the answers of a query at two revisions, where another process has the store: both answers are held in memory. */
import type { QueryOptions, RemoteRepository } from '@quadrille/client';
import { termToNTriples } from '@quadrille/model';
import type { AnswerDiff, Row } from 'quadrille';

/** Where `answerDiff` looks for it. */
export const COMPARES = Symbol.for('quadrille.compares');

export async function comparedByGuest(
  remote: RemoteRepository,
  text: string,
  [from, to]: readonly [string, string],
  options: QueryOptions,
): Promise<AnswerDiff> {
  const [before, after] = [from, to].map((ref) => remote.at(ref).select(text, options));
  const variables = await after!.variables;
  const counted = new Map<string, { readonly row: Row; count: number }>();
  const count = (row: Row, by: number): void => {
    const key = variables.map((name) => row[name] && termToNTriples(row[name])).join('\t');
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { row, count: by });
    else known.count += by;
  };
  for await (const row of before!) count(row, -1);
  for await (const row of after!) count(row, 1);
  const some = (sign: number): Row[] =>
    [...counted.values()].flatMap(({ row, count: times }) => Array<Row>(Math.max(0, times * sign)).fill(row));
  return { variables, added: some(1), removed: some(-1), path: 'rerun' };
}
