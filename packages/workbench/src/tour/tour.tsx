/** The tour: a panel beside the page, which points at what it speaks of. The user may use the page meanwhile. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../api/errors.js';
import { text } from '../messages/en.js';
import { tourText } from '../messages/tour.js';
import { fail, status } from '../state/notices.js';
import { touring } from '../state/tour.js';
import { Course, removeBranches, STEPS, tidy } from './steps.js';

/** Milliseconds between two looks at what the user has done. What the tour points at comes and goes with the pages. */
const LOOK_MS = 150;
const LAST = STEPS.length - 1;
const end = (): void => void (touring.value = false);

export function Tour() {
  const { course, index, reason, onward, clean } = useSteps();
  const button = useRef<HTMLButtonElement>(null);
  useBeginAndEnd(course, button);
  const [title, words] = tourText.steps[index]!;
  const isTold = index === LAST && reason !== undefined;
  return (
    <aside class="tour" aria-label={text.tour.name}>
      <div id="tour-step" class="stack" aria-live="polite" aria-atomic="true">
        <p class="muted">{tourText.place(index + 1, STEPS.length)}</p>
        <p>
          <strong>{title}</strong>
        </p>
        <p>{isTold ? tourText.toldEnd : words(course)}</p>
        {reason !== undefined && !isTold && <p class="notice warning">{tourText.told[reason]}</p>}
        {index === LAST && <p>{tourText.readOn}</p>}
      </div>
      <div class="row end">
        {index < LAST && (
          <button type="button" class="button small quiet" onClick={end}>
            {tourText.end}
          </button>
        )}
        {index === LAST && !isTold && (
          <button type="button" class="button small" onClick={() => void clean()}>
            {tourText.clean}
          </button>
        )}
        <button
          ref={button}
          type="button"
          class="button small primary"
          aria-describedby="tour-step"
          onClick={() => void onward(true)}
        >
          {index === LAST ? tourText.done : tourText.next}
        </button>
      </div>
    </aside>
  );
}

function useSteps() {
  const [course] = useState(() => new Course());
  const [index, setIndex] = useState(0);
  const working = useRef(false);
  const step = STEPS[index]!;
  const reason = course.told.value ?? step.reason?.();
  const onward = (acts: boolean): Promise<void> =>
    guarded(working, course, async () => {
      if (index === LAST) return end();
      if (reason !== undefined) course.told.value = reason;
      else if (acts) await step.act(course);
      if (course.told.value === undefined) await STEPS[index + 1]!.enter?.(course);
      setIndex(index + 1);
    });
  const clean = (): Promise<void> =>
    guarded(working, course, async () => {
      await removeBranches(course);
      status.value = tourText.cleaned;
      end();
    });
  useEffect(() => {
    let pointed: Pointed | undefined;
    const look = (): void => {
      if (course.isLeft()) return end();
      pointed = pointAt(step.target(course), pointed);
      if (reason === undefined && !working.current && step.isDone(course)) void onward(false);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      pointed?.element?.removeAttribute('data-tour');
    };
  }, [index, reason]);
  return { course, index, reason, onward, clean };
}

/** Does one thing at a time. Whoever has no right to write is told the rest. */
async function guarded(working: { current: boolean }, course: Course, act: () => Promise<void>): Promise<void> {
  if (working.current) return;
  working.current = true;
  try {
    await act();
  } catch (error) {
    if (asProblem(error).status === 403) course.told.value = 'rights';
    else fail(error);
  } finally {
    working.current = false;
  }
}

/** What is marked, and how far it is from the top of the page. */
interface Pointed {
  readonly element: Element | undefined;
  readonly top: number;
}

/** Marks the first element that can be seen, and scrolls to it, also where a page that has loaded has moved it. */
function pointAt(target: string, before: Pointed | undefined): Pointed {
  const element = [...document.querySelectorAll(target)].find((each) => each.checkVisibility());
  const top = (element?.getBoundingClientRect().top ?? 0) + scrollY;
  if (element !== before?.element) before?.element?.removeAttribute('data-tour');
  element?.setAttribute('data-tour', '');
  if (element !== before?.element || top !== before?.top) element?.scrollIntoView({ block: 'nearest' });
  return { element, top };
}

/** The focus goes to the panel, and back; Escape ends the tour wherever it means nothing else. */
function useBeginAndEnd(course: Course, button: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const pressed = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented) end();
    };
    addEventListener('keydown', pressed);
    button.current?.focus();
    if (course.told.value === undefined) void STEPS[0]!.enter?.(course);
    return () => {
      removeEventListener('keydown', pressed);
      tidy(course);
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (isThere ? before : document.getElementById('main'))?.focus();
    };
  }, []);
}
