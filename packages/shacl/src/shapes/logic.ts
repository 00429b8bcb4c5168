/** The constraints that ask whether value nodes conform to other shapes. */
import { shownTerm } from './invalid.js';
import type { Constraint, Shape, Violation } from './shape.js';
import { violation } from './constraints.js';

/** `wanted` decides by the number of shapes that a value node conforms to. */
function conforming(
  component: string,
  shapes: readonly Shape[],
  wanted: (conforming: number) => boolean,
  message: string,
): Constraint {
  return {
    component,
    shapes,
    *check(validation, { values }) {
      const violations: Violation[] = [];
      for (const value of values) {
        let number = 0;
        for (const shape of shapes) if (yield* validation.conforms(shape, value)) number++;
        if (!wanted(number)) violations.push({ value, message });
        yield* validation.rest();
      }
      return violations;
    },
  };
}

export const node = (shape: Shape): Constraint =>
  conforming('Node', [shape], (number) => number === 1, `does not conform to ${shownTerm(shape.node)}`);
export const not = (shape: Shape): Constraint =>
  conforming('Not', [shape], (number) => number === 0, `conforms to ${shownTerm(shape.node)}`);
export const and = (shapes: readonly Shape[]): Constraint =>
  conforming('And', shapes, (number) => number === shapes.length, 'does not conform to all shapes of sh:and');
export const or = (shapes: readonly Shape[]): Constraint =>
  conforming('Or', shapes, (number) => number > 0, 'conforms to no shape of sh:or');
export const xone = (shapes: readonly Shape[]): Constraint =>
  conforming('Xone', shapes, (number) => number === 1, 'does not conform to exactly one shape of sh:xone');

/** Value nodes count that conform to the shape, and to none of the `others`. */
export function qualified(
  shape: Shape,
  others: readonly Shape[],
  component: 'QualifiedMinCount' | 'QualifiedMaxCount',
  limit: number,
): Constraint {
  return {
    component,
    shapes: [shape, ...others],
    *check(validation, { values }) {
      let number = 0;
      for (const value of values) {
        yield* validation.rest();
        if (!(yield* validation.conforms(shape, value))) continue;
        let isOther = false;
        for (const other of others) isOther ||= yield* validation.conforms(other, value);
        if (!isOther) number++;
      }
      const isMin = component === 'QualifiedMinCount';
      if (isMin ? number >= limit : number <= limit) return [];
      const words = `not ${isMin ? 'at least' : 'at most'} ${String(limit)}`;
      return [violation(`has ${String(number)} values that conform to ${shownTerm(shape.node)}, ${words}`)];
    },
  };
}
