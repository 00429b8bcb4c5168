/**
 * How operators wait. Most of what they need is in memory, and a promise for each step would cost more than the step. So work that may
 * have to wait is a generator: it yields each promise that it meets and goes on with the value. One driver does the waiting.
 */

/** Work that yields the promises that it waits for, and returns its result. */
export type Waiting<T> = Generator<Promise<unknown>, T, unknown>;

/** The part of a control that gives the event loop its turns. */
export interface Pauses {
  checkpoint(): Promise<void> | undefined;
}

/** Gives the event loop its turn when its time has come. @throws EvaluationError where the evaluation has ended */
export function* pauseOf(control: Pauses): Waiting<void> {
  const pause = control.checkpoint();
  if (pause !== undefined) yield pause;
}

/** Goes through steps; the event loop has its turns in between. */
export function* inSteps<T>(steps: Generator<undefined, T>, control: Pauses): Waiting<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield* pauseOf(control);
  }
}

/** Does the work. A promise only where it has to wait. */
export function finish<T>(work: Waiting<T>): T | Promise<T> {
  const step = work.next();
  return step.done === true ? step.value : finishLater(work, step.value);
}

/** How the work goes on when a promise has ended: not within the promise, whose errors it would catch. */
const settled = <Y, R>(wait: Promise<unknown>, work: Generator<Y, R, unknown>): Promise<() => IteratorResult<Y, R>> =>
  wait.then(
    (value) => () => work.next(value),
    (error: unknown) => () => work.throw(error),
  );

async function finishLater<T>(work: Waiting<T>, first: Promise<unknown>): Promise<T> {
  for (let wait = first; ;) {
    const goOn = await settled(wait, work);
    const step = goOn();
    if (step.done === true) return step.value;
    wait = step.value;
  }
}

/** Work that yields its results one after the other, and the promises that it waits for. */
export type Producing<T extends object> = Generator<T | Promise<unknown>, void, unknown>;

/** The next result; `undefined` at the end. A promise only where the work has to wait. */
export function nextOf<T extends object>(work: Producing<T>): T | undefined | Promise<T | undefined> {
  const { value } = work.next();
  return value instanceof Promise ? nextOfLater(work, value) : value || undefined;
}

async function nextOfLater<T extends object>(work: Producing<T>, first: Promise<unknown>): Promise<T | undefined> {
  for (let wait = first; ;) {
    const goOn = await settled(wait, work);
    const { value } = goOn();
    if (!(value instanceof Promise)) return value || undefined;
    wait = value;
  }
}
