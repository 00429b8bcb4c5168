/** How the answer of a query differs between two revisions, and how it changes with later ones. */
import type { AnswerDiff, LiveUpdate, QueryOptions, Ref, Repository, Revision, SparqlText } from '../api/index.js';
import { HeldAnswer } from './held-answer.js';

type Target = Pick<Repository, 'at' | 'revision' | 'watch'>;

export async function answerDiff(
  repository: Target,
  text: SparqlText,
  [from, to]: readonly [from: Ref, to: Ref],
  options: QueryOptions,
): Promise<AnswerDiff> {
  const before = await answerAt(repository, from, text, options);
  const after = await answerAt(repository, to, text, options);
  return { added: after.without(before), removed: before.without(after), path: 'rerun' };
}

const answerAt = (repository: Target, ref: Ref, text: SparqlText, options: QueryOptions): Promise<HeldAnswer> =>
  HeldAnswer.read(repository.at(ref).select(text, options), options.memoryBytes);

/** `signal` also ends when the caller leaves the loop. */
export async function* liveAnswers(
  repository: Target,
  text: SparqlText,
  options: QueryOptions,
  signal: AbortSignal,
): AsyncGenerator<LiveUpdate> {
  let revision = await repository.revision();
  let answer = await answerAt(repository, revision, text, options);
  yield { revision, added: answer.without(undefined), removed: [], path: 'initial' };
  for await (const change of repository.watch({ since: revision, signal })) {
    // A consumer that was away for several revisions gets their changes together.
    if (change.revision.number <= revision.number) continue;
    const next: Revision = await repository.revision();
    const after = await answerAt(repository, next, text, options);
    const [added, removed] = [after.without(answer), answer.without(after)];
    [revision, answer] = [next, after];
    if (added.length + removed.length > 0) yield { revision, added, removed, path: 'rerun' };
  }
}
