/** The composables for Vue. */
import { createApp, defineComponent, h, type PropType, shallowRef } from 'vue';
import { QuadrilleProvider, useLive } from 'quadrille/vue';
import { type Asked, pageOf, textOf } from './hooks.js';

const Answer = defineComponent({
  props: { asked: { type: Object as PropType<Asked>, required: true } },
  setup(props) {
    const state = useLive(
      () => props.asked.query,
      () => props.asked.options ?? {},
    );
    return () => h('p', textOf(state.value));
  },
});

Object.assign(globalThis, {
  hooks: pageOf((repository, element) => {
    const shown = shallowRef<readonly Asked[]>([]);
    createApp({
      render: () =>
        h(QuadrilleProvider, { repository }, () => shown.value.map((asked, key) => h(Answer, { key, asked }))),
    }).mount(element);
    return { draw: (asked) => void (shown.value = asked) };
  }),
});
