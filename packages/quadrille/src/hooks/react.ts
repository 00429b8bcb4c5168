/**
 * Hooks for React: components that draw an answer, and draw it anew when a commit has changed it. They work with a repository of the library, in
 * the page itself, and with one of `@quadrille/client`.
 */
import { createContext, createElement, useContext, useMemo, useSyncExternalStore } from 'react';
import type { FunctionComponent, ReactNode } from 'react';
import { InvalidArgumentError } from '@quadrille/model';
import type { LiveRepository, LiveState, UseLiveOptions } from './live-answer.js';
import { LiveAnswer, LOADING } from './live-answer.js';

export type { LiveRepository, LiveState, UseLiveOptions } from './live-answer.js';

const Context = createContext<LiveRepository | undefined>(undefined);

/**
 * Gives the components in it a repository.
 * @since 0.1.0
 */
export const QuadrilleProvider: FunctionComponent<{
  readonly repository: LiveRepository;
  readonly children?: ReactNode;
}> = ({ repository, children }) => createElement(Context.Provider, { value: repository }, children);

/**
 * The repository of the {@link QuadrilleProvider} around the component.
 * @throws InvalidArgumentError `INVALID_OPTION` where there is none
 * @since 0.1.0
 */
export function useRepository<R extends LiveRepository = LiveRepository>(): R {
  const repository = useContext(Context);
  if (repository === undefined)
    throw new InvalidArgumentError('INVALID_OPTION', 'useRepository: put the component into a <QuadrilleProvider>');
  return repository as R;
}

/**
 * The answer of a SELECT, which changes with the repository. The component is drawn anew after each change of it; while the component is there,
 * the answer is followed. Without ORDER BY, `limit` and `offset`, an update costs what the changed quads cost; else the query runs again after
 * each revision.
 * @throws InvalidArgumentError `INVALID_OPTION` where there is no repository. Faults of the query are `error`
 * @since 0.1.0
 */
export function useLive(query: string, options: UseLiveOptions = {}): LiveState {
  const repository = useRepository();
  const { at, limit, offset } = options;
  const answer = useMemo(
    () => new LiveAnswer(repository, query, { at, limit, offset }),
    [repository, query, at, limit, offset],
  );
  const calls = useMemo(
    () => ({ subscribe: (listener: () => void) => answer.subscribe(listener), state: () => answer.state }),
    [answer],
  );
  return useSyncExternalStore(calls.subscribe, calls.state, () => LOADING);
}
