/** Conditions that list the values of a variable, as VALUES: `=`, `sameTerm` and `IN` with terms, and `||` between such. */
import type * as RDF from '@rdfjs/types';
import { termToText, XSD } from '@quadrille/model';
import type { Expression, Operation, Values } from '../../algebra/algebra.js';
import { isIriPlaceholder, isPlaceholder } from '../../algebra/template.js';
import { makeVariable } from '../../algebra/terms.js';

interface Listed {
  readonly name: string;
  readonly terms: readonly RDF.Term[];
}

/** The solutions for which a condition is true, if it says nothing but which terms a variable may be. The variable has to be bound. */
export function valuesOf(expression: Expression): Operation | undefined {
  const found: Listed[] = [];
  // Not recursive, since a chain may be long.
  const open = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.subType !== 'operator') return undefined;
    if (next.operator === '||') {
      open.push(...next.args.toReversed());
      continue;
    }
    const listed = listOf(next.operator, next.args);
    if (listed === undefined || (found.length > 0 && listed.name !== found[0]!.name)) return undefined;
    found.push(listed);
  }
  const { name } = found[0]!;
  const distinct = new Map(found.flatMap(({ terms }) => terms).map((term) => [identityOf(term), term]));
  const bindings = [...distinct.values()].map((term) => ({ [name]: term }));
  const values: Values = { type: 'values', variables: [makeVariable(name)], bindings };
  // Values that are not known yet may be equal.
  const isKnownOnce = bindings.length === 1 || ![...distinct.values()].some(({ value }) => isPlaceholder(value));
  return isKnownOnce ? values : { type: 'distinct', input: values };
}

/** The same for texts of the same term, which the case of a language tag does not tell apart. */
const identityOf = (term: RDF.Term): string =>
  term.termType === 'Literal' && term.language !== ''
    ? JSON.stringify([term.value, term.language.toLowerCase(), term.direction])
    : termToText(term);

function listOf(operator: string, args: readonly Expression[]): Listed | undefined {
  if (operator !== '=' && operator !== 'sameterm' && operator !== 'in') return undefined;
  const terms = args.map((argument) => (argument.subType === 'term' ? argument.term : undefined));
  const variable = terms.find((term) => term?.termType === 'Variable');
  const others = terms.filter((term) => term !== variable);
  if (variable === undefined || others.length === 0 || (operator === 'in' && terms[0] !== variable)) return undefined;
  const isOnly = operator === 'sameterm' ? isKnown : equalsOnlyItself;
  return others.every((term): term is RDF.Term => term !== undefined && isOnly(term))
    ? { name: variable.value, terms: others }
    : undefined;
}

/** An IRI, or a literal of a known datatype. A placeholder in the place of an IRI may stand for anything. */
const isKnown = (term: RDF.Term): boolean =>
  term.termType === 'NamedNode'
    ? !isPlaceholder(term.value) || isIriPlaceholder(term.value)
    : term.termType === 'Literal' && !isPlaceholder(term.datatype.value);

/** Whether `=` is true for this term alone: numbers and dates equal others of their value. */
const equalsOnlyItself = (term: RDF.Term): boolean =>
  isKnown(term) && (term.termType !== 'Literal' || term.language !== '' || term.datatype.value === STRING);

const STRING = `${XSD}string`;
