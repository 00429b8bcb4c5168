/** The constraints that compare value nodes with other values of the focus node, and that which closes a shape. */
import { compareTerms } from '@quadrille/sparql';
import { core, each } from './constraints.js';
import { shownTerm } from './invalid.js';
import type { BoundTerm, Path } from './paths.js';
import { follow } from './paths.js';
import type { Constraint, Violation } from './shape.js';

const along = (predicate: BoundTerm): Path => ({ kind: 'predicate', predicate });

export function equalValues(predicate: BoundTerm): Constraint {
  const path = along(predicate);
  return {
    component: core('Equals'),
    fromFocus: [path],
    check: each(function* ({ data }, focus, values) {
      const others = new Set(yield* follow(data, path, focus));
      const own = new Set(values);
      const name = shownTerm(predicate.term);
      return [
        ...values.filter((value) => !others.has(value)).map((value) => ({ value, message: `is no value of ${name}` })),
        ...[...others]
          .filter((value) => !own.has(value))
          .map((value) => ({ value, message: `is a value of ${name} alone` })),
      ];
    }),
  };
}

export function disjointValues(predicate: BoundTerm): Constraint {
  const path = along(predicate);
  return {
    component: core('Disjoint'),
    fromFocus: [path],
    check: each(function* ({ data }, focus, values) {
      const others = new Set(yield* follow(data, path, focus));
      const message = `is a value of ${shownTerm(predicate.term)} too`;
      return values.filter((value) => others.has(value)).map((value) => ({ value, message }));
    }),
  };
}

export function lessThan(predicate: BoundTerm, orEquals: boolean): Constraint {
  const path = along(predicate);
  const message = `is not less than ${orEquals ? 'or equal to ' : ''}each value of ${shownTerm(predicate.term)}`;
  return {
    component: core(orEquals ? 'LessThanOrEquals' : 'LessThan'),
    fromFocus: [path],
    check: each(function* (validation, focus, values) {
      const others = yield* follow(validation.data, path, focus);
      const violations: Violation[] = [];
      for (const value of values) {
        const left = yield* validation.term(value);
        for (const other of others) {
          const order = compareTerms(left, yield* validation.term(other));
          if (order === -1 || (orEquals && order === 0)) continue;
          violations.push({ value, message });
        }
        yield* validation.rest();
      }
      return violations;
    }),
  };
}

/** `allowed`: the predicates that a value node may have. */
export function closed(allowed: readonly BoundTerm[]): Constraint {
  return {
    component: core('Closed'),
    readsEdges: true,
    check: each(function* (validation, _, values) {
      const ids = validation.idsOf(allowed);
      const violations: Violation[] = [];
      for (const value of values) {
        const { predicates, objects } = yield* validation.data.edges(value);
        for (const [i, predicate] of predicates.entries()) {
          if (ids.has(predicate)) continue;
          const message = `the shape is closed and has no such property`;
          violations.push({ value: objects[i]!, path: predicate, message });
        }
        yield* validation.rest();
      }
      return violations;
    }),
  };
}
