/**
 * BIND of a term or of another variable, in a join. A term is a row of VALUES. A second name of a variable is that variable in the patterns
 * beside it, and is bound at the end.
 */
import type * as RDF from '@rdfjs/types';
import type { Extend, Operation } from '../../algebra/algebra.js';
import { renameLeaf } from '../../algebra/rename-variables.js';
import { rewriteUp, type Task } from '../../algebra/rewrite.js';
import { certainVariables, visibleVariables } from '../../algebra/variables.js';

/** Another host gets its pattern as it stands. */
export const inlineBinds = (operation: Operation): Task<Operation> =>
  rewriteUp(operation, (node) =>
    node.type === 'join' && node.input.some(isTerm) ? new JoinWithBinds(node.input).inlined() : node,
  );

const isTerm = (operation: Operation): operation is Extend =>
  operation.type === 'extend' && operation.expression.subType === 'term';

/** How often a BIND is looked at again after others are gone. */
const MOST_ROUNDS = 8;

/** The parts of a join while the BINDs among them are put into the others. */
class JoinWithBinds {
  /** `undefined`: a BIND that is gone. */
  readonly #parts: (Operation | undefined)[] = [];
  /** By variable: the parts that have it, by their places. */
  readonly #partsWith = new Map<string, Set<number>>();
  /** By part: new names for its variables. */
  readonly #renamings = new Map<number, Map<string, string>>();
  readonly #values: Operation[] = [];
  readonly #names: Extend[] = [];

  constructor(inputs: readonly Operation[]) {
    for (const input of inputs) this.#add(input);
  }

  #add(operation: Operation): void {
    const parts = operation.type === 'join' ? operation.input : [operation];
    for (const part of parts) {
      const inner = this.#withoutTerms(part);
      // What was below a BIND may be a join.
      if (inner !== part && inner.type === 'join') {
        this.#add(inner);
        continue;
      }
      const at = this.#parts.push(inner) - 1;
      for (const name of visibleVariables(inner)) this.#with(name).add(at);
    }
  }

  // BINDs of terms need not look at the other parts, and there may be thousands of them around one another.
  #withoutTerms(operation: Operation): Operation {
    let inner = operation;
    for (; isTerm(inner) && isConstant(termOf(inner)); inner = inner.input) this.#values.push(valuesOf(inner));
    return inner;
  }

  #with(name: string): Set<number> {
    let parts = this.#partsWith.get(name);
    if (parts === undefined) this.#partsWith.set(name, (parts = new Set()));
    return parts;
  }

  *inlined(): Task<Operation> {
    for (let round = 0, changed = true; changed && round < MOST_ROUNDS; round++) {
      changed = false;
      for (let at = 0; at < this.#parts.length; at++) {
        const part = this.#parts[at];
        if (part === undefined || !isTerm(part)) continue;
        if (this.#inline(part, at)) changed = true;
        yield;
      }
    }
    const others = this.#parts.flatMap((part, at) =>
      part === undefined || isEmpty(part) ? [] : [this.#named(part, at)],
    );
    const parts = [...this.#values.toReversed(), ...others];
    const joined: Operation = parts.length === 1 ? parts[0]! : { type: 'join', input: parts };
    // The innermost is the one that the others may repeat.
    return this.#names.reduceRight(
      (input: Operation, { variable, expression }) => ({ type: 'extend', input, variable, expression }),
      joined,
    );
  }

  #inline(bind: Extend, at: number): boolean {
    if (!this.#rename(bind, at)) return false;
    this.#names.push(bind);
    this.#parts[at] = undefined;
    for (const name of visibleVariables(bind)) this.#with(name).delete(at);
    this.#add(bind.input);
    return true;
  }

  // Only in patterns: what an OPTIONAL or an expression makes of the second name is left as it is.
  #rename({ input, variable, expression }: Extend, at: number): boolean {
    const term = termOf({ expression });
    if (term.termType !== 'Variable' || !certainVariables(input).has(term.value)) return false;
    const places = [...this.#with(variable.value)].filter((place) => place !== at);
    if (!places.every((place) => isPattern(this.#parts[place]!))) return false;
    for (const place of places) {
      const names = this.#renamings.get(place) ?? new Map<string, string>();
      this.#renamings.set(place, names);
      for (const [from, to] of names) if (to === variable.value) names.set(from, term.value);
      if (visibleVariables(this.#parts[place]!).has(variable.value) && !names.has(variable.value)) {
        names.set(variable.value, term.value);
      }
      this.#with(variable.value).delete(place);
      this.#with(term.value).add(place);
    }
    return true;
  }

  #named(part: Operation, at: number): Operation {
    const names = this.#renamings.get(at);
    return names === undefined ? part : renameLeaf(part, names);
  }
}

const isPattern = ({ type }: Operation): boolean => type === 'bgp' || type === 'path';

const isEmpty = (operation: Operation): boolean =>
  operation.type === 'nop' || (operation.type === 'bgp' && operation.patterns.length === 0);

const isConstant = ({ termType }: RDF.Term): boolean => termType === 'NamedNode' || termType === 'Literal';

const termOf = ({ expression }: Pick<Extend, 'expression'>): RDF.Term =>
  (expression as Extend['expression'] & { readonly subType: 'term' }).term;

const valuesOf = (extend: Extend): Operation => ({
  type: 'values',
  variables: [extend.variable],
  bindings: [{ [extend.variable.value]: termOf(extend) }],
});
