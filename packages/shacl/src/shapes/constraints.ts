/** The constraints on single values: classes, datatypes, ranges, texts, languages, lists of values. */
import type * as RDF from '@rdfjs/types';
import { compareTerms, isWellFormedLiteral } from '@quadrille/sparql';
import type { Regex } from '@quadrille/sparql';
import type { Steps } from '../steps.js';
import { SH } from '../vocabulary.js';
import { shownTerm } from './invalid.js';
import type { BoundTerm, Path } from './paths.js';
import type { Checked } from './checked.js';
import type { Constraint, PlacedViolation, Validating, Violation } from './shape.js';

/** The IRI of a component of SHACL Core. */
export const core = (name: string): string => `${SH}${name}ConstraintComponent`;

/** What is wrong with a term; `undefined` if nothing is. */
type Fault = (term: RDF.Term) => string | undefined;

/** Values that are looked at between two looks at the clock. */
const VALUES_AT_ONCE = 256;

/** What is wrong with each value node. It is told which one that is, of all value nodes. */
export function* faultsOf(
  validation: Validating,
  { ends, values }: Checked,
  fault: (value: number, i: number) => string | undefined,
): Steps<readonly PlacedViolation[]> {
  const violations: PlacedViolation[] = [];
  let i = 0;
  for (let at = 0; at < ends.length; at++) {
    for (const end = ends[at]!; i < end; i++) {
      const value = values[i]!;
      const message = fault(value, i);
      if (message !== undefined) violations.push({ at, value, message });
      if (i % VALUES_AT_ONCE === 0) yield* validation.rest();
    }
  }
  return violations;
}

/** Checks focus nodes one by one. */
export const each = (
  check: (validation: Validating, focus: number, values: readonly number[]) => Steps<readonly Violation[]>,
) =>
  function* (validation: Validating, checked: Checked): Steps<readonly PlacedViolation[]> {
    const found: PlacedViolation[] = [];
    for (const [at, focus] of checked.focus.entries())
      for (const violation of yield* check(validation, focus, checked.valuesOf(at))) found.push({ at, ...violation });
    return found;
  };

/** A constraint that looks at each value node alone, as a term. */
export function onTerms(component: string, fault: Fault): Constraint {
  return {
    component: core(component),
    *check(validation, checked) {
      const terms = yield* validation.terms(checked);
      if (terms !== undefined) return yield* faultsOf(validation, checked, (_, i) => fault(terms[i]!));
      return yield* each(function* (_, __, values) {
        const violations: Violation[] = [];
        for (const value of values) {
          const message = fault(yield* validation.term(value));
          if (message !== undefined) violations.push({ value, message });
          yield* validation.rest();
        }
        return violations;
      })(validation, checked);
    },
  };
}

export function classOf(type: BoundTerm, fromType: Path): Constraint {
  const message = `is no instance of ${shownTerm(type.term)}`;
  return {
    component: core('Class'),
    fromValues: [fromType],
    *check(validation, checked) {
      const instances = yield* validation.instances(checked.values, type.id);
      return yield* faultsOf(validation, checked, (value) => (instances.has(value) ? undefined : message));
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
  const message = `has not the kind sh:${name}`;
  return {
    component: core('NodeKind'),
    *check(validation, checked) {
      const { data } = validation;
      const types: string[] = [];
      for (const value of checked.values) {
        types.push(data.tryType(value) ?? (yield* data.term(value)).termType);
        if (types.length % VALUES_AT_ONCE === 0) yield* validation.rest();
      }
      return yield* faultsOf(validation, checked, (_, i) => (kinds.includes(types[i]!) ? undefined : message));
    },
  };
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
  check: each(function* (validation, _, values) {
    const counts = new Map<string, number>();
    for (const value of values) {
      const term = yield* validation.term(value);
      yield* validation.rest();
      if (term.termType !== 'Literal' || term.language === '') continue;
      const tag = term.language.toLowerCase();
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count > 1).map(([tag]) => violation(`has several values in ${tag}`));
  }),
});

/** A violation without a value. */
export const violation = (message: string): Violation => ({ value: 0, message });

export const count = (component: 'MinCount' | 'MaxCount', limit: number): Constraint => ({
  component: core(component),
  *check(validation, checked) {
    const isMin = component === 'MinCount';
    const violations: PlacedViolation[] = [];
    for (let at = 0; at < checked.length; at++) {
      const length = checked.ends[at]! - checked.start(at);
      if (isMin ? length >= limit : length <= limit) continue;
      const words = `not ${isMin ? 'at least' : 'at most'} ${String(limit)}`;
      violations.push({ at, ...violation(`has ${String(length)} values, ${words}`) });
    }
    yield* validation.rest();
    return violations;
  },
});

export const hasValue = (wanted: BoundTerm): Constraint => ({
  component: core('HasValue'),
  check: each(function* (_, __, values) {
    return values.includes(wanted.id) ? [] : [violation(`has not the value ${shownTerm(wanted.term)}`)];
  }),
});

export function oneOf(terms: readonly BoundTerm[]): Constraint {
  return {
    component: core('In'),
    *check(validation, checked) {
      const ids = validation.idsOf(terms);
      return yield* faultsOf(validation, checked, (value) => (ids.has(value) ? undefined : 'is not in the list'));
    },
  };
}
