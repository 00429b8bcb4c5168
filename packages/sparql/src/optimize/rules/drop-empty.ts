/**
 * An operation that cannot have a solution becomes VALUES without rows, and so does what is joined with it. A filter has none where a part
 * of its condition is `false`, or needs a variable that its input never binds.
 */
import { XSD } from '@quadrille/model';
import { isTwoSided, type Expression, type Operation, type Values } from '../../algebra/algebra.js';
import { rewriteUp, type Task } from '../../algebra/rewrite.js';
import { makeVariable } from '../../algebra/terms.js';
import { visibleVariables } from '../../algebra/variables.js';
import { neededFor } from './needed-variables.js';
import { conjuncts } from './push-filters.js';

/** What was made of an operation, so that operations that are planned again stay the same objects. */
const known = new WeakMap<Operation, Operation>();

export const dropEmpty = (operation: Operation): Task<Operation> => rewriteUp(operation, withoutEmpty, { known });

function* withoutEmpty(node: Operation): Task<Operation> {
  if (isTwoSided(node)) {
    const [left, right] = node.input;
    if (isEmpty(left)) return nothingOf(node);
    // The variables of the right side are never bound then.
    return isEmpty(right) || (node.type === 'leftjoin' && (yield* neverMatches(node))) ? left : node;
  }
  switch (node.type) {
    case 'filter':
      if (isEmpty(node.input)) return nothingOf(node);
      return (yield* isNever(node.expression, visibleVariables(node.input))) ? nothingOf(node) : node;
    case 'join':
      return node.input.some(isEmpty) ? nothingOf(node) : node;
    case 'union': {
      const rest = node.input.filter((input) => !isEmpty(input));
      if (rest.length === node.input.length) return node;
      return rest.length === 0 ? nothingOf(node) : rest.length === 1 ? rest[0]! : { ...node, input: rest };
    }
    case 'extend':
    case 'project':
    case 'distinct':
    case 'reduced':
    case 'orderby':
    case 'slice':
    case 'graph':
      return isEmpty(node.input) ? nothingOf(node) : node;
    default:
      return node;
  }
}

const isEmpty = (node: Operation): boolean => node.type === 'values' && node.bindings.length === 0;

function* neverMatches(node: Operation & { type: 'leftjoin' }): Task<boolean> {
  return node.expression !== undefined && (yield* isNever(node.expression, visibleVariables(node)));
}

function* isNever(condition: Expression, visible: ReadonlySet<string>): Task<boolean> {
  for (const part of yield* conjuncts(condition)) {
    yield;
    if (isFalse(part) || [...neededFor(part)].some((name) => !visible.has(name))) return true;
  }
  return false;
}

// Only as it is mostly written, which no value of a template looks like.
const isFalse = (part: Expression): boolean =>
  part.subType === 'term' &&
  part.term.termType === 'Literal' &&
  part.term.value === 'false' &&
  part.term.datatype.value === BOOLEAN;

const BOOLEAN = `${XSD}boolean`;

/** No rows of the same variables. */
function nothingOf(node: Operation): Values {
  return { type: 'values', variables: [...visibleVariables(node)].map(makeVariable), bindings: [] };
}
