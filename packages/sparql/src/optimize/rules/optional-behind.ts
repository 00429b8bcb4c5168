/**
 * OPTIONAL, MINUS and BIND behind the joins of their group: `{ A OPTIONAL { B } C }` is `{ A C OPTIONAL { B } }` where all that B and C share
 * is always bound by A. So A and C are joined in the cheapest order, and fewer rows are looked up in B.
 */
import { expressionsIn, isTwoSided, type Extend, type Operation, type TwoSided } from '../../algebra/algebra.js';
import { outerOf, rewriteUp, withOuter, type Task } from '../../algebra/rewrite.js';
import { hasVolatile, isVolatile, mayBeVolatile, type IsVolatileFunction } from '../../algebra/volatile.js';
import { certainVariables, seenVariables, visibleVariables } from '../../algebra/variables.js';

type Outer = TwoSided | Extend;

/**
 * How many go behind one join. In `{ A OPTIONAL { B } C OPTIONAL { D } E … }` each join has all before it in its left side: without
 * a bound, each would be looked at once for each join behind it.
 */
const MOST_BEHIND = 16;

/** Another host gets its pattern as it stands. */
export const optionalBehind = (operation: Operation, isFunction?: IsVolatileFunction): Task<Operation> =>
  rewriteUp(operation, (node) =>
    node.type === 'join' && node.input.some(isOuter) ? behind(node, node.input, isFunction) : node,
  );

const isOuter = (operation: Operation): operation is Outer => isTwoSided(operation) || operation.type === 'extend';

function* behind(
  join: Operation,
  input: readonly Operation[],
  isFunction: IsVolatileFunction | undefined,
): Task<Operation> {
  if (input.length < 2) return join;
  /** By variable: how many inputs have it. */
  const times = new Map<string, number>();
  for (const part of input) {
    for (const name of visibleVariables(part)) times.set(name, (times.get(name) ?? 0) + 1);
    yield;
  }
  const around: Outer[] = [];
  const joined: Operation[] = [];
  for (const part of input) {
    const own = visibleVariables(part);
    const isElsewhere = (name: string): boolean => (times.get(name) ?? 0) > (own.has(name) ? 1 : 0);
    const taken: Outer[] = [];
    let inner = part;
    while (taken.length < MOST_BEHIND && isOuter(inner) && canGoBehind(inner, isElsewhere, isFunction)) {
      taken.push(inner);
      inner = outerOf(inner)!;
      yield;
    }
    joined.push(inner);
    around.push(...taken.reverse());
  }
  if (around.length === 0) return join;
  return around.reduce<Operation>((left, node) => withOuter(node, left), { type: 'join', input: joined });
}

/** Whether other parts of the join bind nothing that the operation looks at or binds, but what its left side always binds. */
function canGoBehind(
  operation: Outer,
  isElsewhere: (name: string) => boolean,
  isFunction: IsVolatileFunction | undefined,
): boolean {
  if (operation.type === 'extend') {
    // A function of the embedder may take long: it is not called for more rows.
    if (mayBeVolatile(operation.expression) || isElsewhere(operation.variable.value)) return false;
  } else if (hasVolatile(operation.input[1], isFunction)) return false;
  if (expressionsIn(operation).some((expression) => isVolatile(expression, isFunction))) return false;
  const certain = certainVariables(outerOf(operation)!);
  return [...seenVariables(operation)].every((name) => certain.has(name) || !isElsewhere(name));
}
