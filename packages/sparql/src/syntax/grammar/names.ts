/** The variables of a request: those of its text, and those that its algebra has besides. */
import type * as RDF from '@rdfjs/types';
import { makeVariable } from '../../algebra/terms.js';
import { isWord } from '../lexer/characters.js';

interface Named {
  readonly variable: RDF.Variable;
  /** How many other variables come first in the text. */
  readonly rank: number;
}

export class Names {
  readonly #named = new Map<string, Named>();
  /** Blank nodes of patterns by their labels. */
  readonly #labelled = new Map<string, RDF.Variable>();
  readonly #made = new Set<string>();
  #paths = 0;
  #blanks = 0;

  /** `taken`: names that no made variable may have. */
  constructor(private readonly taken: ReadonlySet<string> = new Set()) {}

  /** The variable of that name in the text. */
  variable(name: string): RDF.Variable {
    let known = this.#named.get(name);
    if (known === undefined) this.#named.set(name, (known = { variable: makeVariable(name), rank: this.#named.size }));
    return known.variable;
  }

  /** The names of the text, in its order. */
  get all(): string[] {
    return [...this.#named.keys()];
  }

  /** Variables by their names, in the order of the text. */
  inTextOrder(names: Iterable<string>): RDF.Variable[] {
    const named = Array.from(names, (name) => this.#named.get(name)!);
    return named.toSorted((left, right) => left.rank - right.rank).map(({ variable }) => variable);
  }

  /** A new variable, for what a path or an expression goes through. */
  fresh(): RDF.Variable {
    return this.#make(`var${this.#paths++}`);
  }

  /** The variable that stands for a blank node of a pattern: each solution may have another term there. */
  blank(label?: string): RDF.Variable {
    if (label === undefined) return this.#make(`g_${this.#blanks++}`);
    let known = this.#labelled.get(label);
    if (known === undefined) {
      known = isVariableName(label) ? this.#make(`e_${label}`) : this.blank();
      this.#labelled.set(label, known);
    }
    return known;
  }

  #make(name: string): RDF.Variable {
    let free = name;
    while (this.taken.has(free) || this.#made.has(free)) free += '_';
    this.#made.add(free);
    return makeVariable(free);
  }

  isMade(name: string): boolean {
    return this.#made.has(name);
  }

  /** Whether a made variable has the name of one of the text. */
  get clash(): boolean {
    for (const name of this.#made) if (this.#named.has(name)) return true;
    return false;
  }
}

/** Labels may also hold dots and hyphens. */
function isVariableName(label: string): boolean {
  for (let at = 0; at < label.length; at++) {
    if (!isWord(label.charCodeAt(at))) return false;
  }
  return true;
}
