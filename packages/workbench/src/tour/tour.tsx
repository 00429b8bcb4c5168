/** The tour: a panel beside the page, which points at what it speaks of. The user may use the page meanwhile. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../api/errors.js';
import { text } from '../messages/en.js';
import { tourText } from '../messages/tour.js';
import { fail, status } from '../state/notices.js';
import { touring } from '../state/tour.js';
import { branchesOf, Course, removeBranches, STEPS, tidy } from './steps.js';

/** Milliseconds between two looks at what the user has done. What the tour points at comes and goes with the pages. */
const LOOK_MS = 150;
const LAST = STEPS.length - 1;
const end = (): void => void (touring.value = false);

export function Tour() {
  const { course, index, reason, isLeft, leave, onward, clean } = useSteps();
  const button = useRef<HTMLButtonElement>(null);
  useBeginAndEnd(course, button, leave);
  const made = branchesOf(course);
  const isTold = index === LAST && reason !== undefined;
  const isOver = isLeft || index === LAST;
  return (
    <aside class="tour" aria-label={text.tour.name}>
      <div id="tour-step" class="stack" aria-live="polite" aria-atomic="true">
        {isLeft ? <p>{tourText.left(made)}</p> : <Words course={course} index={index} reason={reason} />}
      </div>
      <div class="row end">
        {!isOver && (
          <button type="button" class="button small quiet" onClick={leave}>
            {tourText.end}
          </button>
        )}
        {isOver && !isTold && made.length > 0 && (
          <button type="button" class="button small" onClick={() => void clean()}>
            {tourText.clean(made)}
          </button>
        )}
        <button
          ref={button}
          type="button"
          class="button small primary"
          aria-describedby="tour-step"
          onClick={() => (isLeft ? end() : void onward(true))}
        >
          {isLeft ? tourText.keep(made) : index === LAST ? tourText.done : tourText.next}
        </button>
      </div>
    </aside>
  );
}

interface Shown {
  readonly course: Course;
  readonly index: number;
  readonly reason: keyof typeof tourText.told | undefined;
}

function Words({ course, index, reason }: Shown) {
  const [title, words] = tourText.steps[index]!;
  const isTold = index === LAST && reason !== undefined;
  return (
    <>
      <p class="muted">{tourText.place(index + 1, STEPS.length)}</p>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{isTold ? tourText.toldEnd : words(course)}</p>
      {reason !== undefined && !isTold && <p class="notice warning">{tourText.told[reason]}</p>}
      {index === LAST && <p>{tourText.readOn}</p>}
    </>
  );
}

function useSteps() {
  const [course] = useState(() => new Course());
  const [index, setIndex] = useState(0);
  const [isLeft, setLeft] = useState(false);
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
  // Whoever ends it early is told what it leaves, and ends it by a second time.
  const leave = (): void => {
    if (isLeft || index === LAST || branchesOf(course).length === 0) end();
    else setLeft(true);
  };
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
      if (isLeft) return;
      pointed = pointAt(step.target(course), pointed);
      if (reason === undefined && !working.current && step.isDone(course)) void onward(false);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      pointed?.element?.removeAttribute('data-tour');
    };
  }, [index, reason, isLeft]);
  return { course, index, reason, isLeft, leave, onward, clean };
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
function useBeginAndEnd(course: Course, button: { readonly current: HTMLElement | null }, leave: () => void): void {
  const leaving = useRef(leave);
  leaving.current = leave;
  useLayoutEffect(() => {
    const before = document.activeElement;
    const pressed = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented) leaving.current();
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
