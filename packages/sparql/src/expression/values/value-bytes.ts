/** How much memory values take, about. */
import { type Integer, type Value } from './value-types.js';

/** Of a value beside its text. */
const VALUE_BYTES = 96;
const CHARACTER_BYTES = 2;
/** Of the longest number that there is. */
const LONG_NUMBER_BYTES = 2048;
const LONG = 2n ** 128n;

const textBytes = (text: string): number => VALUE_BYTES + CHARACTER_BYTES * text.length;
const numberBytes = (number: Integer): number =>
  VALUE_BYTES + (typeof number === 'bigint' && (number > LONG || number < -LONG) ? LONG_NUMBER_BYTES : 0);

export function valueBytes(value: Value | undefined): number {
  switch (value?.kind) {
    case undefined:
    case 'error':
    case 'boolean':
      return 0;
    case 'string':
    case 'langString':
    case 'iri':
    case 'blankNode':
      return textBytes(value.value);
    case 'integer':
      return numberBytes(value.value);
    case 'decimal':
      return numberBytes(value.mantissa);
    case 'other':
      return textBytes(value.term.value);
    case 'triple':
      return VALUE_BYTES + valueBytes(value.subject) + valueBytes(value.predicate) + valueBytes(value.object);
    default:
      return VALUE_BYTES;
  }
}
