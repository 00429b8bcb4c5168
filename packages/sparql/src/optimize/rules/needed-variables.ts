/** The variables that a condition needs to be true. */
import type { Expression } from '../../algebra/algebra.js';

const NONE: ReadonlySet<string> = new Set();

/** Operators and functions that give an error where one of their arguments does. */
const STRICT: ReadonlySet<string> = new Set(
  (
    '= != < <= > >= + - * / ! sameterm str lang datatype isiri isuri isblank isliteral isnumeric langmatches regex contains strstarts strends ' +
    'strlen ucase lcase substr strbefore strafter abs ceil floor round year month day hours minutes seconds'
  ).split(' '),
);
/** Deeper expressions are not looked at: only simple ones are common. */
const MOST_DEPTH = 16;

/** The variables without which an expression is not true: it is false then, or an error. */
export function neededFor(expression: Expression, depth = 0): ReadonlySet<string> {
  if (expression.subType === 'term')
    return expression.term.termType === 'Variable' ? new Set([expression.term.value]) : NONE;
  if (expression.subType !== 'operator' || depth > MOST_DEPTH) return NONE;
  const { operator, args } = expression;
  const parts = (): ReadonlySet<string>[] => args.map((argument) => neededFor(argument, depth + 1));
  if (operator === 'bound' || operator === '&&') return new Set(parts().flatMap((names) => [...names]));
  if (operator === '||') {
    const [first = NONE, ...others] = parts();
    return new Set([...first].filter((name) => others.every((names) => names.has(name))));
  }
  return failsWithout(expression, depth);
}

/** The variables without which an expression is an error. */
function failsWithout(expression: Expression, depth: number): ReadonlySet<string> {
  if (expression.subType === 'term') return neededFor(expression);
  if (expression.subType !== 'operator' || depth > MOST_DEPTH || !STRICT.has(expression.operator)) return NONE;
  return new Set(expression.args.flatMap((argument) => [...failsWithout(argument, depth + 1)]));
}
