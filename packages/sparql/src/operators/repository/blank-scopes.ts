/**
 * Blank nodes of several repositories in one evaluation: equal labels in two repositories are two nodes. A node that leaves its
 * repository has a label with a prefix of that repository, and gets its own label back where it returns.
 */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { mapTripleTerm, newBlankNodePrefix } from '../../algebra/terms.js';

export class BlankScopes {
  /** No stored label begins with it. */
  readonly #prefix = newBlankNodePrefix();
  readonly #scopes = new Map<object, string>();

  /** The function that carries terms from one repository to another. A repository is told by the key of its terms. */
  between(from: object, to: object): (term: RDF.Term) => RDF.Term {
    const own = this.#scopeOf(from);
    const theirs = this.#scopeOf(to);
    const carry = (term: RDF.Term): RDF.Term => {
      if (term.termType === 'Quad') return mapTripleTerm(term, carry);
      if (term.termType !== 'BlankNode') return term;
      const { value } = term;
      if (value.startsWith(theirs)) return dataFactory.blankNode(value.slice(theirs.length));
      return value.startsWith(this.#prefix) ? term : dataFactory.blankNode(own + value);
    };
    return carry;
  }

  #scopeOf(key: object): string {
    let scope = this.#scopes.get(key);
    if (scope === undefined) this.#scopes.set(key, (scope = `${this.#prefix}r${this.#scopes.size}x`));
    return scope;
  }
}
