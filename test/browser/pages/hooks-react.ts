/** The hooks for React, in strict mode, which begins and ends each effect twice. */
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QuadrilleProvider, useLive } from 'quadrille/react';
import { type Asked, pageOf, textOf } from './hooks.js';

const Answer = ({ query, options }: Asked) => createElement('p', {}, textOf(useLive(query, options)));

Object.assign(globalThis, {
  hooks: pageOf((repository, element) => {
    const root = createRoot(element);
    return {
      draw(asked) {
        const answers = asked.map((one, key) => createElement(Answer, { key, ...one }));
        root.render(createElement(StrictMode, {}, createElement(QuadrilleProvider, { repository }, answers)));
      },
    };
  }),
});
