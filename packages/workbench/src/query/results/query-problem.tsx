/** Why a query or an update has no answer, with the one thing that may help. */
import { signInNeeded } from '../../api/client.js';
import type { Problem } from '../../api/errors.js';
import { text } from '../../messages/en.js';
import { isOld, show } from '../../state/revision.js';
import { activeTab } from '../../state/tabs.js';
import { ProblemView, type Remedy } from '../../terms/problem-view.js';
import { LONGEST_TIMEOUT, placeWanted, run, timeout } from '../execution.js';

export function QueryProblem({ problem }: { readonly problem: Problem }) {
  const shown = problem.code === 'BROKEN_OFF' ? { ...problem, message: text.query.brokenOff } : problem;
  return <ProblemView problem={shown} remedy={remedyOf(problem)} />;
}

function remedyOf({ code, status, line, column = 1 }: Problem): Remedy {
  if (line !== undefined)
    return { label: text.query.goTo(line, column), run: () => (placeWanted.value = { line, column }) };
  if (status === 401) return { label: text.signIn, run: () => (signInNeeded.value = true) };
  const isGone = code === 'REVISION_TRIMMED' || code === 'REVISION_NOT_FOUND';
  if (isGone || (code === 'OLD_REVISION' && isOld.value))
    return { label: text.timeline.back, run: () => show(undefined) };
  if (code === 'QUERY_TIMEOUT' && (timeout.value ?? 0) < LONGEST_TIMEOUT)
    return { label: text.query.longer(LONGEST_TIMEOUT), run: () => again(LONGEST_TIMEOUT) };
  return { label: text.retry, run: () => again() };
}

function again(seconds?: number): void {
  if (seconds !== undefined) timeout.value = seconds;
  void run(activeTab.value);
}
