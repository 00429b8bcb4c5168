/** Term identity, as sameTerm() has it. */
import { datatypeOf, textOf } from './value.js';
import type { Value } from './value-types.js';

/** Whether both are the same term: lexical forms and datatypes count; the case of language tags does not. */
export function sameTerm(left: Value, right: Value): boolean {
  if (left === right) return left.kind !== 'error';
  switch (left.kind) {
    case 'error':
      return false;
    case 'iri':
    case 'blankNode':
    case 'string':
      return left.kind === right.kind && left.value === right.value;
    case 'langString':
      return (
        left.kind === right.kind &&
        left.value === right.value &&
        left.direction === right.direction &&
        left.language.toLowerCase() === right.language.toLowerCase()
      );
    case 'triple':
      return (
        right.kind === 'triple' &&
        sameTerm(left.subject, right.subject) &&
        sameTerm(left.predicate, right.predicate) &&
        sameTerm(left.object, right.object)
      );
    default:
      // The lexical form does not tell the kinds apart (an IRI, a string); the datatype does.
      return left.kind === right.kind && textOf(left) === textOf(right) && datatypeOf(left) === datatypeOf(right);
  }
}
