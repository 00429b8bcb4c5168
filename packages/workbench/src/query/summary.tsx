/** One line that says how an execution is going. */
import { useEffect } from 'preact/hooks';
import { text } from '../messages/en.js';
import type { Answer } from '../rows/answer.js';
import { status } from '../state/notices.js';
import { revisions } from '../state/revision.js';
import { activeTab } from '../state/tabs.js';
import { type Execution, isStale } from './execution.js';

export function Summary({ execution }: { readonly execution: Execution | undefined }) {
  const line = lineOf(execution);
  const running = execution?.type === 'query' ? execution.answer.state.value === 'running' : false;
  // Those who listen hear the end, not each step.
  useEffect(() => {
    if (line !== '' && !running) status.value = line;
  }, [line, running]);
  return (
    <p
      class={running ? 'summary running' : 'summary'}
      data-testid="summary"
      data-stale={execution !== undefined && isStale(execution, activeTab.value)}
    >
      {line}
    </p>
  );
}

function lineOf(execution: Execution | undefined): string {
  if (execution === undefined) return '';
  if (execution.type === 'query') return answerLine(execution.answer);
  const { state, revision } = execution.outcome;
  if (state === 'running') return text.loading;
  if (state === 'failed') return '';
  return revision === undefined
    ? text.query.unchanged
    : text.query.updated(revision.ordinal, revision.added, revision.removed);
}

function answerLine(answer: Answer): string {
  const { rows, ms } = answer.progress.value;
  switch (answer.state.value) {
    case 'running':
      return rows === 0 ? text.loading : text.query.running(text.rows(rows));
    case 'cancelled':
      return text.query.cancelled(text.rows(rows));
    case 'full':
      return text.query.full(text.rows(rows));
    case 'failed':
      return rows === 0 ? '' : text.query.brokenAfter(text.rows(rows));
    default: {
      const number = revisions.value.find(({ uuid }) => uuid === answer.revision.value)?.ordinal;
      const said = answer.boolean.value;
      const what = said === undefined ? text.rows(rows) : said ? text.query.yes : text.query.no;
      return text.query.done(what, ms, number);
    }
  }
}
