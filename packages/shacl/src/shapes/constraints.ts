/** The constraints on single values: classes, datatypes, ranges, texts, languages, lists of values. */
import type * as RDF from '@rdfjs/types';
import { compareTerms, isWellFormedLiteral } from '@quadrille/sparql';
import type { Regex } from '@quadrille/sparql';
import type { Steps } from '../steps.js';
import { SH } from '../vocabulary.js';
import { shownTerm } from './invalid.js';
import type { BoundTerm, Path } from './paths.js';
import type { Checked, Constraint, Validating, Violation } from './shape.js';

/** The IRI of a component of SHACL Core. */
export const core = (name: string): string => `${SH}${name}ConstraintComponent`;

/** What is wrong with a term; `undefined` if nothing is. */
type Fault = (term: RDF.Term) => string | undefined;

/** A constraint that looks at each value node alone, as a term. */
export function onTerms(component: string, fault: Fault): Constraint {
  return {
    component: core(component),
    *check(validation: Validating, { values }: Checked): Steps<readonly Violation[]> {
      const violations: Violation[] = [];
      for (const value of values) {
        const message = fault(yield* validation.term(value));
        if (message !== undefined) violations.push({ value, message });
        yield* validation.rest();
      }
      return violations;
    },
  };
}

export function classOf(type: BoundTerm, fromType: Path): Constraint {
  const message = `is no instance of ${shownTerm(type.term)}`;
  return {
    component: core('Class'),
    fromValues: [fromType],
    *check(validation, { values }) {
      const violations: Violation[] = [];
      for (const value of values) {
        if (!(yield* validation.isInstance(value, type.id))) violations.push({ value, message });
        yield* validation.rest();
      }
      return violations;
    },
  };
}

export const datatype = ({ term: { value: iri } }: BoundTerm): Constraint =>
  onTerms('Datatype', (term) => {
    if (term.termType !== 'Literal' || term.datatype.value !== iri) return `has not the datatype <${iri}>`;
    return isWellFormedLiteral(term) ? undefined : `is no literal of <${iri}> that is well formed`;
  });

const KINDS: Readonly<Record<string, readonly string[]>> = {
  BlankNode: ['BlankNode'],
  IRI: ['NamedNode'],
  Literal: ['Literal'],
  BlankNodeOrIRI: ['BlankNode', 'NamedNode'],
  BlankNodeOrLiteral: ['BlankNode', 'Literal'],
  IRIOrLiteral: ['NamedNode', 'Literal'],
};

/** `undefined` if there is no such kind. */
export function nodeKind(name: string): Constraint | undefined {
  const kinds = Object.hasOwn(KINDS, name) ? KINDS[name]! : undefined;
  if (kinds === undefined) return undefined;
  return onTerms('NodeKind', ({ termType }) => (kinds.includes(termType) ? undefined : `has not the kind sh:${name}`));
}

const RANGES: Readonly<Record<string, readonly [words: string, test: (order: number) => boolean]>> = {
  MinExclusive: ['greater than', (order) => order > 0],
  MinInclusive: ['at least', (order) => order >= 0],
  MaxExclusive: ['less than', (order) => order < 0],
  MaxInclusive: ['at most', (order) => order <= 0],
};

export function range(component: string, bound: RDF.Term): Constraint {
  const [words, test] = RANGES[component]!;
  return onTerms(component, (term) => {
    const order = term.termType === 'Literal' ? compareTerms(term, bound) : undefined;
    return order !== undefined && test(order) ? undefined : `is not ${words} ${shownTerm(bound)}`;
  });
}

/** The text that lengths and patterns look at. */
const textOf = (term: RDF.Term): string | undefined =>
  term.termType === 'Literal' || term.termType === 'NamedNode' ? term.value : undefined;

/** Characters, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) length--;
  return length;
}

export const textLength = (component: 'MinLength' | 'MaxLength', limit: number): Constraint =>
  onTerms(component, (term) => {
    const text = textOf(term);
    const length = text === undefined ? undefined : lengthOf(text);
    const isRight = length !== undefined && (component === 'MinLength' ? length >= limit : length <= limit);
    if (isRight) return undefined;
    return `has not ${component === 'MinLength' ? 'at least' : 'at most'} ${String(limit)} characters`;
  });

export const pattern = (regex: Regex, source: string): Constraint =>
  onTerms('Pattern', (term) => {
    const text = textOf(term);
    return text !== undefined && regex.test(text) ? undefined : `does not match the pattern ${source}`;
  });

export function languageIn(ranges: readonly string[]): Constraint {
  const wanted = ranges.map((range) => range.toLowerCase());
  const matches = (tag: string): boolean =>
    wanted.some((range) => (range === '*' && tag !== '') || tag === range || tag.startsWith(`${range}-`));
  return onTerms('LanguageIn', (term) =>
    term.termType === 'Literal' && term.language !== '' && matches(term.language.toLowerCase())
      ? undefined
      : `is in none of the languages ${ranges.join(', ')}`,
  );
}

export const uniqueLang = (): Constraint => ({
  component: core('UniqueLang'),
  *check(validation, { values }) {
    const counts = new Map<string, number>();
    for (const value of values) {
      const term = yield* validation.term(value);
      yield* validation.rest();
      if (term.termType !== 'Literal' || term.language === '') continue;
      const tag = term.language.toLowerCase();
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count > 1).map(([tag]) => violation(`has several values in ${tag}`));
  },
});

/** A violation without a value. */
export const violation = (message: string): Violation => ({ value: 0, message });

export const count = (component: 'MinCount' | 'MaxCount', limit: number): Constraint => ({
  component: core(component),
  *check(_, { values }) {
    const isRight = component === 'MinCount' ? values.length >= limit : values.length <= limit;
    if (isRight) return [];
    const words = component === 'MinCount' ? 'at least' : 'at most';
    return [violation(`has ${String(values.length)} values, not ${words} ${String(limit)}`)];
  },
});

export const hasValue = (wanted: BoundTerm): Constraint => ({
  component: core('HasValue'),
  *check(_, { values }) {
    return values.includes(wanted.id) ? [] : [violation(`has not the value ${shownTerm(wanted.term)}`)];
  },
});

export function oneOf(terms: readonly BoundTerm[]): Constraint {
  return {
    component: core('In'),
    *check(validation, { values }) {
      const ids = validation.idsOf(terms);
      return values.filter((value) => !ids.has(value)).map((value) => ({ value, message: 'is not in the list' }));
    },
  };
}
