/**
 * The values of templates and bindings. Placeholders stand for them in algebra and plans, so that one plan serves all values.
 */
import type * as RDF from '@rdfjs/types';
import { iri } from '@quadrille/model';
import { walk, type Operation } from '../algebra/algebra.js';
import type { ParsedQuery, ParsedText } from '../algebra/request.js';
import { bindQuery } from '../algebra/substitute-variables.js';
import { substituteValues } from '../algebra/substitute-values.js';
import { bindingPlaceholder, isPlaceholder, placeholderIndex } from '../algebra/template.js';
import { mapTripleTerm, termFactory } from '../algebra/terms.js';

/** Gives the term that a term of the algebra stands for. */
export type Resolve = (term: RDF.Term) => RDF.Term;

type Bindings = Readonly<Record<string, RDF.Term>>;

export interface BoundQuery {
  /** The same object for the same request with other values, wherever a plan can serve both. */
  readonly algebra: Operation;
  readonly resolve: Resolve;
  /** The terms of a text: the same array for the same text. Texts of the same shape have the same algebra. */
  readonly values?: readonly RDF.Term[];
}

/** Where nothing stands for another term. */
const asItIs: Resolve = (term) => term;
const MOST_NAMES = 16;

export class Parameters {
  readonly #bound = new WeakMap<Operation, Map<string, Operation>>();

  /**
   * A query with its values.
   * @throws InvalidArgumentError `INVALID_TERM` where a value cannot stand in its place
   */
  bind(text: ParsedText<ParsedQuery>, bindings: Bindings): BoundQuery {
    const { parsed, values, byShape } = text;
    const names = Object.keys(bindings);
    if (values.length === 0 && names.length === 0) return { algebra: parsed.algebra, resolve: asItIs };
    if (byShape && names.length === 0) return { algebra: parsed.algebra, resolve: resolveBy(valuesOf(values)), values };
    const substituted = substituteValues(text);
    const algebra = this.#withPlaceholders(parsed.algebra, names);
    // Where a value decides the shape of the plan, each value gets a plan of its own.
    if (!canWait(algebra, names)) {
      return { algebra: bindQuery(substituted.algebra, bindings), resolve: asItIs };
    }
    const terms = new Map(names.map((name) => [bindingPlaceholder(name), bindings[name]!]));
    const valueOf = valuesOf(values);
    return {
      algebra,
      resolve: resolveBy((name) => (isPlaceholder(name) ? terms.get(name) : undefined) ?? valueOf(name)),
    };
  }

  #withPlaceholders(algebra: Operation, names: readonly string[]): Operation {
    if (names.length === 0) return algebra;
    let known = this.#bound.get(algebra);
    if (known === undefined) this.#bound.set(algebra, (known = new Map()));
    const key = JSON.stringify(names);
    let bound = known.get(key);
    if (bound === undefined) {
      if (known.size >= MOST_NAMES) known.clear();
      bound = bindQuery(algebra, Object.fromEntries(names.map((name) => [name, iri(bindingPlaceholder(name))])));
      known.set(key, bound);
    }
    return bound;
  }
}

/** Whether placeholders can stay in the algebra: not as the name of a graph or service, and not beside VALUES. */
function canWait(algebra: Operation, names: readonly string[]): boolean {
  let waits = true;
  walk(algebra, (node) => {
    if (node.type === 'graph' || node.type === 'service') waits &&= !isPlaceholder(node.name.value);
    // Binding removes the bound variables from VALUES, which needs the values.
    if (node.type === 'values') waits &&= names.length === 0;
  });
  return waits;
}

const valuesOf =
  (values: readonly RDF.Term[]) =>
  (name: string): RDF.Term | undefined =>
    values[placeholderIndex(name) ?? -1];

function resolveBy(values: (iri: string) => RDF.Term | undefined): Resolve {
  const resolve = (term: RDF.Term): RDF.Term => {
    switch (term.termType) {
      case 'NamedNode':
        return values(term.value) ?? term;
      case 'Literal': {
        const value = values(term.value);
        if (value !== undefined) return value;
        const datatype = values(term.datatype.value);
        return datatype === undefined ? term : termFactory.literal(term.value, datatype as RDF.NamedNode);
      }
      case 'Quad':
        return mapTripleTerm(term, resolve);
      default:
        return term;
    }
  };
  return resolve;
}
