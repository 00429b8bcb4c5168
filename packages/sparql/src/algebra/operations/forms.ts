/** The forms of a request around its pattern. */
import type { Family } from './record.js';

export const FORMS: Family<'ask' | 'construct' | 'describe' | 'from'> = {
  ask: { called: 'ASK', from: 'none' },
  construct: { called: 'CONSTRUCT', from: 'none' },
  describe: { called: 'DESCRIBE', from: 'none' },
  from: { called: 'FROM', from: 'none' },
};
