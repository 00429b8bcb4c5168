/** A value that is read when a component is shown, and again when what it depends on changes. */
import { useEffect, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** Undefined before the first value. While another one is read, the last one stays; where that fails, it is gone. */
  readonly value: T | undefined;
  readonly error: unknown;
  /** Whether the value, if there is one, is that of other dependencies. */
  readonly loading: boolean;
  /** Reads again. */
  readonly again: () => void;
}

interface State<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  /** What the value or the error was read for; undefined while something is read. */
  readonly of: readonly unknown[] | undefined;
}

const isSame = (one: readonly unknown[] | undefined, other: readonly unknown[]): boolean =>
  one?.every((each, index) => Object.is(each, other[index])) === true;

/** @param read gets a signal that is aborted when its value is no longer wanted */
export function useLoaded<T>(read: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [times, setTimes] = useState(0);
  const [state, setState] = useState<State<T>>({ value: undefined, error: undefined, of: undefined });
  const wanted = [...dependencies, times];
  useEffect(() => {
    const aborting = new AbortController();
    setState(({ value }) => ({ value, error: undefined, of: undefined }));
    read(aborting.signal).then(
      (value) => aborting.signal.aborted || setState({ value, error: undefined, of: wanted }),
      (error: unknown) => aborting.signal.aborted || setState({ value: undefined, error, of: wanted }),
    );
    return () => aborting.abort();
  }, wanted);
  // Before the effect runs, the page is drawn once with what it had.
  const loading = !isSame(state.of, wanted);
  return { value: state.value, error: loading ? undefined : state.error, loading, again: () => setTimes(times + 1) };
}
