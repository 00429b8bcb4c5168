/** The option `onError: 'skip'` of a load: lines that are not well formed are told and left out. */
import type { AsyncParserOptions, RdfFormat } from '@quadrille/formats';
import { InvalidArgumentError } from '@quadrille/model';
import type { LoadOptions } from '../api/index.js';

const MOST_ERRORS = 1000;
const FORMATS_OF_LINES = ['N-Triples', 'N-Quads'];

/** @throws InvalidArgumentError `INVALID_OPTION` for a format without lines */
export function skippingLines(
  { maxErrors = MOST_ERRORS, onProblem }: LoadOptions,
  { name }: RdfFormat,
): Pick<AsyncParserOptions, 'onFault'> {
  if (!FORMATS_OF_LINES.includes(name)) {
    const known = FORMATS_OF_LINES.join(' and ');
    throw new InvalidArgumentError('INVALID_OPTION', `errors can be skipped in ${known}, not in ${name}`);
  }
  let count = 0;
  return {
    onFault(error, text) {
      if (++count > maxErrors) throw error;
      const { line = 1, column = 1, reason } = error;
      onProblem?.({ line, column, message: reason, text });
    },
  };
}
