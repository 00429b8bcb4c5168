/** The tour of a first visit: whether it is offered, and whether it runs. */
import { computed, signal } from '@preact/signals';
import { signInNeeded } from '../api/client.js';
import { store, stored } from './preferences.js';
import { at, head } from './revision.js';
import { mayWrite } from './session.js';

const answered = signal(stored('tour', false));
export const touring = signal(false);

/** Who may write is asked once, on a page of a repository. A page inside of another one, or at an old revision, was opened for what it shows. */
export const isOffered = computed(
  () =>
    !answered.value &&
    !touring.value &&
    !signInNeeded.value &&
    mayWrite.value &&
    head.value !== undefined &&
    at.value === undefined &&
    self === top,
);

/** Begins the tour, or not; in both cases it is never offered again. */
export function answerTour(takes: boolean): void {
  store('tour', true);
  answered.value = true;
  touring.value = takes;
}
