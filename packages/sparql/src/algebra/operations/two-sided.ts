/** The solutions of the first input, beside which the second one is evaluated alone. */
import { NO_NAMES } from '../name-sets.js';
import type { Family } from './record.js';

export const TWO_SIDED: Family<'leftjoin' | 'minus'> = {
  leftjoin: {
    called: 'OPTIONAL',
    from: 'first',
    binds: (_, [, right = NO_NAMES]) => right,
    text({ input: [left, right], expression }, writer) {
      const condition = expression === undefined ? '' : ` FILTER(${writer.expression(expression)})`;
      return `${writer.elements(left)} OPTIONAL { ${writer.elements(right)}${condition} }`;
    },
  },
  minus: {
    called: 'MINUS',
    from: 'first',
    comparesVariables: true,
    withColumn: (node, column) => ({ ...node, column }),
    text: ({ input: [left, right] }, writer) => `${writer.elements(left)} MINUS { ${writer.group(right)} }`,
  },
};
