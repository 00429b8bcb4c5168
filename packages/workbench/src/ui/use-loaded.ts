/** A value that is read when a component is shown, and again when what it depends on changes. */
import { useEffect, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** Undefined before the first value. While another one is read, the last one stays. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Reads again. */
  readonly again: () => void;
}

type State<T> = Omit<Loaded<T>, 'again'>;

/** @param read gets a signal that is aborted when its value is no longer wanted */
export function useLoaded<T>(read: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [times, setTimes] = useState(0);
  const [state, setState] = useState<State<T>>({ value: undefined, error: undefined, loading: true });
  useEffect(() => {
    const aborting = new AbortController();
    setState(({ value }) => ({ value, error: undefined, loading: true }));
    read(aborting.signal).then(
      (value) => !aborting.signal.aborted && setState({ value, error: undefined, loading: false }),
      (error: unknown) => !aborting.signal.aborted && setState(({ value }) => ({ value, error, loading: false })),
    );
    return () => aborting.abort();
  }, [...dependencies, times]);
  return { ...state, again: () => setTimes(times + 1) };
}
