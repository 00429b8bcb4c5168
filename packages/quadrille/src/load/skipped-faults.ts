/** The option `onError: 'skip'` of a load: lines and terms that are not well formed are told and left out. */
import type { AsyncParserOptions } from '@quadrille/formats';
import type { LoadOptions } from '../api/index.js';

const MOST_ERRORS = 1000;

export function skippingFaults({
  maxErrors = MOST_ERRORS,
  onProblem,
}: LoadOptions): Pick<AsyncParserOptions, 'onFault'> {
  let count = 0;
  return {
    onFault(error, text) {
      if (++count > maxErrors) throw error;
      const { line = 1, column = 1, reason } = error;
      onProblem?.({ kind: 'skipped', line, column, message: reason, text });
    },
  };
}
