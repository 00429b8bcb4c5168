/** The rows that later revisions add to an answer and remove from it, the newest first, as they come. */
import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/errors.js';
import { type AnswerUpdate, readAnswerFeed } from '../../api/feeds/answers.js';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { termOf } from '../../rows/binding.js';
import type { Term } from '../../rows/term.js';
import { repository } from '../../state/repository.js';
import { ProblemView } from '../../terms/problem-view.js';
import { type ChangedRow, RowTable } from './row-table.js';

const MOST_SHOWN = 500;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const UNBOUND: Term = { kind: 'unbound', value: '' };

interface Followed {
  readonly rows: readonly ChangedRow[];
  readonly added: number;
  readonly removed: number;
}

interface Properties {
  readonly answer: Answer;
  /** The number of the revision of the answer. */
  readonly from: number;
}

export function LiveRows({ answer, from }: Properties) {
  const columns = answer.columns.value ?? [];
  const [followed, setFollowed] = useState<Followed>({ rows: [], added: 0, removed: 0 });
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const aborting = new AbortController();
    setProblem(undefined);
    setFollowed({ rows: [], added: 0, removed: 0 });
    const take = (update: AnswerUpdate): void => setFollowed((before) => withUpdate(before, update, columns));
    void follow(answer, take, aborting.signal).then((end) => aborting.signal.aborted || setProblem(end));
    return () => aborting.abort();
  }, [answer, times]);
  const { rows, added, removed } = followed;
  return (
    <>
      {problem !== undefined && (
        <ProblemView problem={problem} remedy={{ label: text.retry, run: () => setTimes(times + 1) }} />
      )}
      <p class="muted" role="status" data-testid="live-rows">
        {text.query.liveRows(from, added, removed)}
      </p>
      <RowTable columns={columns} rows={rows} />
      {added + removed > rows.length && <p class="empty-note">{text.query.liveCut(MOST_SHOWN)}</p>}
    </>
  );
}

function withUpdate(before: Followed, { added, removed }: AnswerUpdate, columns: readonly string[]): Followed {
  const rows = (kind: ChangedRow['kind'], list: AnswerUpdate['added']): ChangedRow[] =>
    list.slice(0, MOST_SHOWN).map((row) => ({
      kind,
      terms: columns.map((name) => (row[name] === undefined ? UNBOUND : termOf(row[name]))),
    }));
  return {
    rows: [...rows('removed', removed), ...rows('added', added), ...before.rows].slice(0, MOST_SHOWN),
    added: before.added + added.length,
    removed: before.removed + removed.length,
  };
}

/** Until the signal, across lost connections. Returns what makes it useless to go on. */
async function follow(
  answer: Answer,
  take: (update: AnswerUpdate) => void,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  let since = answer.revision.value ?? 'HEAD';
  let pauseMs = FIRST_PAUSE_MS;
  let problem: Problem | undefined;
  const onUpdate = (update: AnswerUpdate): void => {
    since = update.revision;
    pauseMs = FIRST_PAUSE_MS;
    take(update);
  };
  const onProblem = (told: Pick<Problem, 'code' | 'message'>): void => void (problem = { status: 0, ...told });
  while (!signal.aborted) {
    const failure = await readAnswerFeed(repository.value!, answer.text, { since, onUpdate, onProblem, signal }).then(
      () => undefined,
      asProblem,
    );
    if (problem !== undefined) return problem;
    // The server has refused it. A busy one, or one that is away, is asked again.
    if (failure !== undefined && failure.status >= 400 && failure.status < 500 && failure.status !== 429)
      return failure;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  return undefined;
}
