/** The constraints that ask whether value nodes conform to other shapes. */
import { shownTerm } from './invalid.js';
import type { Checked } from './checked.js';
import type { Constraint, Shape, Validating, Violation } from './shape.js';
import { core, each, faultsOf, violation } from './constraints.js';
import { type Reifiers, reifiersOf } from './paths.js';
import { sortedNodes } from './follow-each.js';
import type { Steps } from '../steps.js';

/** The value nodes that conform to each shape. */
function* conformingTo(
  validation: Validating,
  shapes: readonly Shape[],
  { values }: Checked,
): Steps<readonly ReadonlySet<number>[]> {
  const nodes = sortedNodes(values);
  const found: ReadonlySet<number>[] = [];
  for (const shape of shapes) found.push(yield* validation.conforming(shape, nodes));
  return found;
}

interface Logic {
  readonly component: string;
  readonly shapes: readonly Shape[];
  /** Decides by the number of shapes that a value node conforms to. */
  readonly wanted: (conforming: number) => boolean;
  readonly message: string;
  readonly negates?: boolean;
}

function conforming({ component, shapes, wanted, message, negates = false }: Logic): Constraint {
  return {
    component: core(component),
    shapes,
    negates,
    *check(validation, checked) {
      const sets = yield* conformingTo(validation, shapes, checked);
      return yield* faultsOf(validation, checked, (value) => {
        let number = 0;
        for (const set of sets) if (set.has(value)) number++;
        return wanted(number) ? undefined : message;
      });
    },
  };
}

export const node = (shape: Shape): Constraint =>
  conforming({
    component: 'Node',
    shapes: [shape],
    wanted: (number) => number === 1,
    message: `does not conform to ${shownTerm(shape.node)}`,
  });
export const not = (shape: Shape): Constraint =>
  conforming({
    component: 'Not',
    shapes: [shape],
    wanted: (number) => number === 0,
    message: `conforms to ${shownTerm(shape.node)}`,
    negates: true,
  });
export const and = (shapes: readonly Shape[]): Constraint =>
  conforming({
    component: 'And',
    shapes,
    wanted: (number) => number === shapes.length,
    message: 'does not conform to all shapes of sh:and',
  });
export const or = (shapes: readonly Shape[]): Constraint =>
  conforming({
    component: 'Or',
    shapes,
    wanted: (number) => number > 0,
    message: 'conforms to no shape of sh:or',
  });
export const xone = (shapes: readonly Shape[]): Constraint =>
  conforming({
    component: 'Xone',
    shapes,
    wanted: (number) => number === 1,
    message: 'does not conform to exactly one shape of sh:xone',
    negates: true,
  });

/** Value nodes count that conform to the shape, and to none of the `others`. */
export function qualified(
  shape: Shape,
  others: readonly Shape[],
  component: 'QualifiedMinCount' | 'QualifiedMaxCount',
  limit: number,
): Constraint {
  const isMin = component === 'QualifiedMinCount';
  const words = `not ${isMin ? 'at least' : 'at most'} ${String(limit)}`;
  return {
    component: core(component),
    shapes: [shape, ...others],
    negates: !isMin || others.length > 0,
    *check(validation, checked) {
      const [own, ...siblings] = yield* conformingTo(validation, [shape, ...others], checked);
      return yield* each(function* (_, __, values) {
        const number = values.filter((value) => own!.has(value) && !siblings.some((set) => set.has(value))).length;
        yield* validation.rest();
        if (isMin ? number >= limit : number <= limit) return [];
        return [violation(`has ${String(number)} values that conform to ${shownTerm(shape.node)}, ${words}`)];
      })(validation, checked);
    },
  };
}

/**
 * Reifiers of the triples of the value nodes conform to the shapes. By the tests of SHACL 1.2 the value of a result is the value node; the
 * message names the reifier.
 */
export function reifierShapes(shapes: readonly Shape[], path: Reifiers, isRequired: boolean): Constraint {
  return {
    component: core('ReifierShape'),
    shapes,
    toNodes: path,
    fromFocus: [path],
    check: each(function* (validation, focus, values) {
      const violations: Violation[] = [];
      for (const value of values) {
        const reifiers = yield* reifiersOf(validation.data, path, focus, value);
        if (isRequired && reifiers.length === 0) violations.push({ value, message: 'its triple has no reifier' });
        for (const shape of reifiers.length === 0 ? [] : shapes) {
          const conforming = yield* validation.conforming(shape, reifiers);
          const wrong = reifiers.find((reifier) => !conforming.has(reifier));
          if (wrong === undefined) continue;
          const reifier = shownTerm(yield* validation.term(wrong));
          const message = `the reifier ${reifier} of its triple does not conform to ${shownTerm(shape.node)}`;
          violations.push({ value, message });
        }
        yield* validation.rest();
      }
      return violations;
    }),
  };
}
