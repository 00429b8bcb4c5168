/**
 * Composables for Vue: components that draw an answer, and draw it anew when a commit has changed it. They work with a repository of the library, in
 * the page itself, and with one of `@quadrille/client`.
 */
import { defineComponent, inject, provide, shallowRef, toValue, watchEffect } from 'vue';
import type { InjectionKey, MaybeRefOrGetter, PropType, ShallowRef } from 'vue';
import { InvalidArgumentError } from '@quadrille/model';
import type { LiveRepository, LiveState, UseLiveOptions } from './live-answer.js';
import { LiveAnswer, LOADING } from './live-answer.js';

export type { LiveRepository, LiveState, UseLiveOptions } from './live-answer.js';

const KEY: InjectionKey<() => LiveRepository> = Symbol('repository');

/**
 * Gives the components in it a repository.
 * @since 0.1.0
 */
export const QuadrilleProvider = defineComponent({
  name: 'QuadrilleProvider',
  props: { repository: { type: Object as PropType<LiveRepository>, required: true } },
  setup(props, { slots }) {
    provide(KEY, () => props.repository);
    return () => slots['default']?.();
  },
});

function repositoryGetter(): () => LiveRepository {
  const get = inject(KEY, undefined);
  if (get === undefined)
    throw new InvalidArgumentError('INVALID_OPTION', 'useRepository: put the component into a <QuadrilleProvider>');
  return get;
}

/**
 * The repository of the {@link QuadrilleProvider} around the component.
 * @throws InvalidArgumentError `INVALID_OPTION` where there is none
 * @since 0.1.0
 */
export const useRepository = <R extends LiveRepository = LiveRepository>(): R => repositoryGetter()() as R;

/**
 * The answer of a SELECT, which changes with the repository; while the component is there, the answer is followed. Without ORDER BY, `limit` and
 * `offset`, an update costs what the changed quads cost; else the query runs again after each revision.
 * @param query also a ref or a getter, as `options`: another value is another answer
 * @throws InvalidArgumentError `INVALID_OPTION` where there is no repository. Faults of the query are `error`
 * @since 0.1.0
 */
export function useLive(
  query: MaybeRefOrGetter<string>,
  options: MaybeRefOrGetter<UseLiveOptions> = {},
): Readonly<ShallowRef<LiveState>> {
  const repository = repositoryGetter();
  const state = shallowRef(LOADING);
  watchEffect((onCleanup) => {
    const answer = new LiveAnswer(repository(), toValue(query), toValue(options));
    state.value = answer.state;
    onCleanup(answer.subscribe(() => (state.value = answer.state)));
  });
  return state;
}
