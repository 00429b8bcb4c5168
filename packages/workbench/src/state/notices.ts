/** What the page says: results politely, errors at once. */
import { signal } from '@preact/signals';
import { asProblem, isAbort, type Problem } from '../api/errors.js';

/** The last result in words, for `role=status`. */
export const status = signal('');
/** The error that is shown, for `role=alert`. */
export const failure = signal<Problem | undefined>(undefined);

/** Shows an error. An aborted request and a missing token are none: the dialog says the latter. */
export function fail(error: unknown): void {
  if (isAbort(error)) return;
  const problem = asProblem(error);
  if (problem.status === 401 || problem.code === 'OFFLINE') return;
  failure.value = problem;
}

/** What stays on the page until it is over. */
export interface Standing {
  readonly id: string;
  /** Undefined: it is over. */
  readonly text: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void };
}
export const standing = signal<readonly Standing[]>([]);

/** Shows a notice in place of an earlier one of the same id. */
export function stand(notice: Standing): void {
  const others = standing.value.filter(({ id }) => id !== notice.id);
  standing.value = notice.text === undefined ? others : [...others, notice];
}
