/**
 * Placeholders in expressions get the kind of their values: rules and scans treat IRIs, texts and numbers differently. So a template or a
 * binding is planned as the text with its value, and values of one kind share what is planned.
 */
import type * as RDF from '@rdfjs/types';
import { iri } from '@quadrille/model';
import { walk, type Operation } from '../../algebra/algebra.js';
import { mapTerms } from '../../algebra/map-terms.js';
import { iriPlaceholder, isPlaceholder } from '../../algebra/template.js';
import { termFactory, type Resolve } from '../../algebra/terms.js';

const MOST_KINDS = 16;

/** By algebra: the placeholders in its expressions. */
const inExpressions = new WeakMap<Operation, readonly RDF.NamedNode[]>();
/** By algebra and the kinds of the values. */
const made = new WeakMap<Operation, Map<string, Operation>>();

/** The algebra for values of the kinds that `resolve` gives; the same object for the same kinds. */
export function withKinds(algebra: Operation, resolve: Resolve): Operation {
  const placeholders = placeholdersOf(algebra);
  if (placeholders.length === 0) return algebra;
  const key = JSON.stringify(placeholders.map((placeholder) => kindOf(resolve(placeholder))));
  let byKind = made.get(algebra);
  if (byKind === undefined) made.set(algebra, (byKind = new Map()));
  let typed = byKind.get(key);
  if (typed === undefined) {
    if (byKind.size >= MOST_KINDS) byKind.clear();
    typed = mapTerms(algebra, 'input', (term, place) =>
      isOfExpression(term, place) ? placeholderLike(resolve(term), term) : term,
    ) as Operation;
    byKind.set(key, typed);
  }
  return typed;
}

function placeholdersOf(algebra: Operation): readonly RDF.NamedNode[] {
  const known = inExpressions.get(algebra);
  if (known !== undefined) return known;
  let found: RDF.NamedNode[] = [];
  mapTerms(algebra, 'input', (term, place) => {
    if (isOfExpression(term, place)) found.push(term);
    return term;
  });
  walk(algebra, (node) => {
    // Another host gets its pattern as text.
    if (node.type === 'service') found = [];
  });
  inExpressions.set(algebra, found);
  return found;
}

const isOfExpression = (term: RDF.Term, place: string): term is RDF.NamedNode =>
  place === 'term' && term.termType === 'NamedNode' && isPlaceholder(term.value);

function kindOf(term: RDF.Term): readonly string[] {
  if (term.termType !== 'Literal') return [term.termType];
  const { datatype, language, direction } = term;
  return [datatype.value, language, direction ?? ''];
}

function placeholderLike(value: RDF.Term, { value: name }: RDF.NamedNode): RDF.Term {
  if (value.termType === 'NamedNode') return iri(iriPlaceholder(name));
  return value.termType === 'Literal' ? literalLike(value, name) : iri(name);
}

/** A literal with another text, and the datatype or the language of the first. */
export function literalLike({ language, datatype, direction }: RDF.Literal, value: string): RDF.Literal {
  if (language === '') return termFactory.literal(value, datatype);
  return termFactory.literal(value, direction ? { language, direction } : language);
}
