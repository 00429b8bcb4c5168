/**
 * Filters that say that two variables are equal, as keys of joins. Where they are the same term, both are one variable in the patterns.
 * Elsewhere the sides of the group that nothing else connects are joined by a key of their values.
 */
import type * as RDF from '@rdfjs/types';
import { EQUALITY_KEY, type Bgp, type Expression } from '../../algebra/algebra.js';
import { renameLeaf, renameVariables } from '../../algebra/rename-variables.js';
import type { Task } from '../../algebra/rewrite.js';
import { makeVariable } from '../../algebra/terms.js';
import { expressionVariables, hasExistence, visibleVariables } from '../../algebra/variables.js';
import type { JoinPart } from '../join/join-part.js';
import type { GroupParts } from './group-parts.js';

/** The variables that a filter compares, if it does nothing else. */
export interface ComparedVariables {
  readonly left: string;
  readonly right: string;
  /** Whether the filter asks for the same term, and not for equal values. */
  readonly isIdentity: boolean;
}

export function comparedBy(expression: Expression): ComparedVariables | undefined {
  if (expression.subType !== 'operator' || !(expression.operator === '=' || expression.operator === 'sameterm')) {
    return undefined;
  }
  const [left, right] = expression.args;
  if (left?.subType !== 'term' || right?.subType !== 'term') return undefined;
  if (left.term.termType !== 'Variable' || right.term.termType !== 'Variable') return undefined;
  if (left.term.value === right.term.value) return undefined;
  return { left: left.term.value, right: right.term.value, isIdentity: expression.operator === 'sameterm' };
}

/** Each looks at all of the group. */
const MOST_ALIASES = 16;

/** A variable that is another one in the patterns. */
export interface Alias {
  readonly name: string;
  readonly of: string;
}

/** Puts one variable in the place of two where a filter says that they are the same term. Takes the filter out of the group. */
export function* takeAliases(group: GroupParts): Task<Alias[]> {
  const aliases: Alias[] = [];
  for (let found = findAlias(group); found !== undefined; found = findAlias(group)) {
    group.filters.splice(group.filters.indexOf(found.filter), 1);
    // Other filters are changed too.
    yield replace(group, found.alias);
    if (aliases.push(found.alias) === MOST_ALIASES) break;
  }
  return aliases;
}

function findAlias(group: GroupParts): { readonly filter: Expression; readonly alias: Alias } | undefined {
  let looks = 0;
  for (const filter of group.filters) {
    const compared = comparedBy(filter);
    if (compared === undefined) continue;
    if (++looks > MOST_ALIASES) return undefined;
    const alias = aliasOf(group, compared);
    if (alias !== undefined) return { filter, alias };
  }
  return undefined;
}

function aliasOf(group: GroupParts, { left, right, isIdentity }: ComparedVariables): Alias | undefined {
  const inPatterns = variablesOfPatterns(group);
  // Of patterns alone: they bind it always, and it can have another name there.
  const isOwn = (name: string): boolean => inPatterns.has(name) && !isUsedElsewhere(group, name);
  const isKnown = isIdentity || isNeverLiteral(group, left) || isNeverLiteral(group, right);
  if (!isKnown || !inPatterns.has(left) || !inPatterns.has(right)) return undefined;
  if (isOwn(right)) return { name: right, of: left };
  return isOwn(left) ? { name: left, of: right } : undefined;
}

function variablesOfPatterns({ patterns, paths }: GroupParts): ReadonlySet<string> {
  const names = new Set<string>();
  const see = (term: RDF.Term): void => {
    if (term.termType === 'Variable') names.add(term.value);
  };
  for (const { subject, predicate, object, graph } of patterns)
    for (const term of [subject, predicate, object, graph]) see(term);
  for (const { subject, object, graph } of paths) for (const term of [subject, object, graph]) see(term);
  return names;
}

/** Whether something else than patterns, paths and plain filters mentions a variable. */
function isUsedElsewhere({ others, services, filters }: GroupParts, name: string): boolean {
  if ([...others, ...services].some((operation) => visibleVariables(operation).has(name))) return true;
  return filters.some((expression) => hasExistence(expression) && expressionVariables(expression).has(name));
}

/** Whether a variable is an IRI or a blank node wherever it is bound: those equal nothing but themselves. */
const isNeverLiteral = ({ patterns }: GroupParts, name: string): boolean =>
  patterns.some(({ subject, predicate, graph }) =>
    [subject, predicate, graph].some((term) => term.termType === 'Variable' && term.value === name),
  );

function* replace(group: GroupParts, { name, of }: Alias): Task<void> {
  const names = new Map([[name, of]]);
  const { patterns } = renameLeaf({ type: 'bgp', patterns: group.patterns }, names) as Bgp;
  group.patterns.splice(0, patterns.length, ...patterns);
  for (const [i, path] of group.paths.entries()) {
    const term = (end: RDF.Term): RDF.Term =>
      end.termType === 'Variable' && end.value === name ? makeVariable(of) : end;
    group.paths[i] = { ...path, subject: term(path.subject), object: term(path.object), graph: term(path.graph) };
  }
  for (const [i, filter] of group.filters.entries()) {
    if (!expressionVariables(filter).has(name)) continue;
    group.filters[i] = (yield renameVariables(filter, names)) as Expression;
  }
}

/** Expressions that a filter compares. */
export interface ComparedExpressions {
  readonly left: Expression;
  readonly right: Expression;
  /** Whether the filter asks for the same term, and not for equal values. */
  readonly isIdentity: boolean;
}

/** The sides of a filter for equal values, if both look at variables. */
export function equalityOf(expression: Expression): ComparedExpressions | undefined {
  const variables = comparedBy(expression);
  if (variables !== undefined) {
    const { left, right, isIdentity } = variables;
    return { left: termOf(left), right: termOf(right), isIdentity };
  }
  if (expression.subType !== 'operator' || expression.operator !== '=' || hasExistence(expression)) return undefined;
  const [left, right] = expression.args;
  return { left: left!, right: right!, isIdentity: false };
}

/** The value of an expression as a key: values that are equal have the same one. An error has none. */
export const keyOf = (expression: Expression): Expression => ({
  type: 'expression',
  subType: 'operator',
  operator: EQUALITY_KEY,
  args: [expression],
});

/** Whether a key has a value: where it has none, `=` is an error. */
export const hasKey = (key: string): Expression => ({
  type: 'expression',
  subType: 'operator',
  operator: 'bound',
  args: [termOf(key)],
});

/** A variable as an expression. */
export const termOf = (name: string): Expression => ({ type: 'expression', subType: 'term', term: makeVariable(name) });

/** Which parts are connected by variables: the number of the side that each is on. */
export function sidesOf(parts: readonly JoinPart[]): number[] {
  const sides: number[] = parts.map(() => -1);
  const partsOf = new Map<string, number[]>();
  for (const [at, { variables }] of parts.entries())
    for (const name of variables) {
      const known = partsOf.get(name);
      if (known === undefined) partsOf.set(name, [at]);
      else known.push(at);
    }
  let side = 0;
  for (const start of parts.keys()) {
    if (sides[start] !== -1) continue;
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (sides[at] !== -1) continue;
      sides[at] = side;
      for (const name of parts[at]!.variables) {
        for (const other of partsOf.get(name) ?? []) open.push(other);
        partsOf.delete(name);
      }
    }
    side++;
  }
  return sides;
}
