/**
 * An operation that cannot have a solution becomes VALUES without rows, and so does what is joined with it. A filter has none where a part
 * of its condition is `false`, or needs a variable that its input never binds.
 */
import { XSD } from '@quadrille/model';
import { expressionsIn, isTwoSided, type Expression, type Operation, type Values } from '../../algebra/algebra.js';
import { comesFrom } from '../../algebra/operations/index.js';
import { rewriteUp, withInputs, type Task } from '../../algebra/rewrite.js';
import { makeVariable } from '../../algebra/terms.js';
import { visibleVariables } from '../../algebra/variables.js';
import { neededFor } from './needed-variables.js';
import { conjuncts } from './push-filters.js';

/** What was made of an operation, so that operations that are planned again stay the same objects. */
const known = new WeakMap<Operation, Operation>();

export const dropEmpty = (operation: Operation): Task<Operation> => rewriteUp(operation, withoutEmpty, { known });

function* withoutEmpty(node: Operation): Task<Operation> {
  if (comesFrom(node, isEmpty)) return nothingOf(node);
  if (isTwoSided(node)) {
    const [left, right] = node.input;
    // The variables of the right side are never bound then.
    return isEmpty(right) || (yield* isNever(node)) ? left : node;
  }
  if (node.type === 'filter') return (yield* isNever(node)) ? nothingOf(node) : node;
  if (node.type !== 'union') return node;
  const rest = node.input.filter((input) => !isEmpty(input));
  return rest.length === 1 ? rest[0]! : withInputs(node, rest);
}

const isEmpty = (node: Operation): boolean => node.type === 'values' && node.bindings.length === 0;

/** Whether its condition never holds. */
function* isNever(node: Operation): Task<boolean> {
  const visible = visibleVariables(node);
  for (const condition of expressionsIn(node)) {
    for (const part of yield* conjuncts(condition)) {
      yield;
      if (isFalse(part) || [...neededFor(part)].some((name) => !visible.has(name))) return true;
    }
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
