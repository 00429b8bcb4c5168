/** Any number of inputs, which are equals. */
import { intersectionOf, unionOf } from '../name-sets.js';
import type { Family } from './record.js';

export const JOINS: Family<'join' | 'union'> = {
  join: {
    called: 'a join',
    from: 'each',
    visible: (_, inputs) => unionOf(inputs),
    certain: (_, inputs) => unionOf(inputs),
    // Patterns that follow one another would be one pattern.
    text: ({ input: inputs }, writer) =>
      inputs
        .map((input, i) => {
          if (i === 0) return writer.elements(input);
          const isBgp = input.type === 'bgp' && ['bgp', 'path'].includes(inputs[i - 1]!.type);
          return isBgp ? `{ ${writer.elements(input)} }` : writer.element(input);
        })
        .join(' '),
  },
  union: {
    called: 'UNION',
    from: 'any',
    visible: (_, inputs) => unionOf(inputs),
    certain: (_, inputs) => intersectionOf(inputs),
    text: ({ input: inputs }, writer) => inputs.map((input) => `{ ${writer.group(input)} }`).join(' UNION '),
    isElement: true,
  },
};
