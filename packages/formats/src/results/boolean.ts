/** The answer of an ASK as one word (text/boolean). */
import { InvalidArgumentError } from '@quadrille/model';
import type { ResultSerializer } from './serializer.js';

export class BooleanResultSerializer implements ResultSerializer {
  head(): string {
    throw new InvalidArgumentError('INVALID_OPTION', 'text/boolean represents only the answer of an ASK query');
  }

  rows(): string {
    return '';
  }

  cell(): string {
    return '';
  }

  cells(): string {
    return '';
  }

  end(): string {
    return '';
  }

  boolean(value: boolean): string {
    return String(value);
  }
}
