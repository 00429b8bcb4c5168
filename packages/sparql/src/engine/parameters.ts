/**
 * The values of templates and bindings. Placeholders stand for them in algebra and plans, so that one plan serves all values.
 */
import type * as RDF from '@rdfjs/types';
import { iri } from '@quadrille/model';
import { walk, type Operation } from '../algebra/algebra.js';
import type { DatasetClause, KeptPlan, ParsedQuery, ParsedText } from '../algebra/request.js';
import { isSpecialGraph } from '../algebra/special-graphs.js';
import { bindQuery } from '../algebra/substitute-variables.js';
import { checkValues, substituteValues } from '../algebra/substitute-values.js';
import { bindingPlaceholder, isPlaceholder, plainPlaceholder, placeholderIndex } from '../algebra/template.js';
import { mapTripleTerm, termFactory, type Resolve } from '../algebra/terms.js';
import { withKinds } from '../syntax/shape/typed-placeholders.js';
import { graphParameters, hasParameters, withSpecialGraphs } from './graph-parameters.js';

type Bindings = Readonly<Record<string, RDF.Term>>;

export interface BoundQuery {
  /** The same object for the same request with other values, wherever a plan can serve both. */
  readonly algebra: Operation;
  /** The graphs of FROM. Placeholders stand for graphs that are not special. */
  readonly dataset: DatasetClause | undefined;
  readonly resolve: Resolve;
  /** The ids of its first values, if whoever asks knows them. */
  readonly ids?: readonly number[] | undefined;
  /** What plans over other repositories are kept for. `undefined`: each call makes one. */
  readonly request: object | undefined;
  /** Whether the figures of its values decide which plan of the algebra it takes. */
  readonly byFigures: boolean;
  /** Where the plan that the figures chose is kept for this text. */
  readonly kept?: KeptPlan | undefined;
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
    const { algebra, dataset } = parsed;
    const names = Object.keys(bindings);
    if (values.length === 0 && names.length === 0) {
      return { algebra, dataset, resolve: asItIs, request: algebra, byFigures: false };
    }
    if (byShape && names.length === 0) {
      const { kept, ids } = text;
      return { algebra, dataset, resolve: resolveBy(valuesOf(values)), ids, request: values, byFigures: true, kept };
    }
    return this.#bindNames(text, bindings, names);
  }

  #bindNames(text: ParsedText<ParsedQuery>, bindings: Bindings, names: readonly string[]): BoundQuery {
    const { parsed, values, byShape } = text;
    if (!byShape && values.length > 0) checkValues(parsed, values);
    const plain = this.#withPlaceholders(parsed.algebra, names);
    const terms = new Map(names.map((name) => [bindingPlaceholder(name), bindings[name]!]));
    const valueOf = valuesOf(values);
    const resolve = resolveBy((name) => (isPlaceholder(name) ? terms.get(name) : undefined) ?? valueOf(name));
    // Where a value decides the shape of the plan, each value gets a plan of its own.
    if (!canWait(plain, names, resolve)) {
      const substituted = substituteValues(text);
      const own = bindQuery(substituted.algebra, bindings);
      return { algebra: own, dataset: substituted.dataset, resolve: asItIs, request: own, byFigures: false };
    }
    const algebra = withKinds(plain, resolve);
    const dataset = withSpecialGraphs(parsed.dataset, resolve);
    const isGraph = graphParameters(algebra).length > 0 || (dataset !== undefined && hasParameters(dataset));
    return { algebra, dataset, resolve, request: isGraph || byShape ? undefined : algebra, byFigures: true };
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

/** Whether placeholders can stay in the algebra: not as the name of a special graph or of a service, and not beside VALUES. */
function canWait(algebra: Operation, names: readonly string[], resolve: Resolve): boolean {
  let known = decidingIn.get(algebra);
  if (known === undefined) decidingIn.set(algebra, (known = findDeciding(algebra)));
  // Binding removes the bound variables from VALUES, which needs the values.
  if (known.asksHost || (known.hasRows && names.length > 0)) return false;
  return !graphParameters(algebra).some((name) => isSpecialGraph(resolve(name)));
}

/** What a value may decide: which host is asked, and which rows there are. */
interface Deciding {
  readonly asksHost: boolean;
  readonly hasRows: boolean;
}
const decidingIn = new WeakMap<Operation, Deciding>();

function findDeciding(algebra: Operation): Deciding {
  let asksHost = false;
  let hasRows = false;
  walk(algebra, (node) => {
    if (node.type === 'service') asksHost ||= isPlaceholder(node.name.value);
    hasRows ||= node.type === 'values';
  });
  return { asksHost, hasRows };
}

const valuesOf =
  (values: readonly RDF.Term[]) =>
  (name: string): RDF.Term | undefined =>
    values[placeholderIndex(name) ?? -1];

function resolveBy(valueOf: (iri: string) => RDF.Term | undefined): Resolve {
  const values = (name: string): RDF.Term | undefined => valueOf(plainPlaceholder(name));
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
