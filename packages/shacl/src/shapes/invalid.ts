/** What is wrong with a graph of shapes, and what of it has no meaning. */
import type * as RDF from '@rdfjs/types';
import { ShapesError, termToNTriples } from '@quadrille/model';
import { SH } from '../vocabulary.js';

const LONGEST_TERM = 200;

/** A term in a message. */
export function shownTerm(term: RDF.Term): string {
  if (term.termType === 'NamedNode' && term.value.startsWith(SH)) return `sh:${term.value.slice(SH.length)}`;
  const text = termToNTriples(term);
  return text.length > LONGEST_TERM ? `${text.slice(0, LONGEST_TERM)}…` : text;
}

/** The error for a shape that is not well formed. */
export const invalid = (shape: RDF.Term, what: string, details: Record<string, string | number> = {}): ShapesError =>
  new ShapesError('SHAPES_INVALID', `the shape ${shownTerm(shape)} cannot be used: ${what}`, {
    details: { shape: shownTerm(shape), ...details },
  });

/**
 * A statement of the shapes that has no meaning, so that nothing is checked by it.
 * @since 0.1.0
 */
export interface ShapesWarning {
  /** The shape, or the graph of the shapes. */
  readonly shape: string;
  /** The predicate and the object of the statement. */
  readonly statement: string;
  /** Why it has no meaning, and what was meant perhaps. */
  readonly reason: string;
}

/** Warnings with the same reason: models have thousands of rules. */
const MOST_ALIKE = 10;

/** Collects warnings. Where shapes are strict, the first one is an error. */
export class Warnings {
  readonly #told: ShapesWarning[] = [];
  /** How often each reason was given, and the first shape that was not told with it. */
  readonly #reasons = new Map<string, { count: number; untold?: RDF.Term }>();

  constructor(private readonly strict: boolean) {}

  /** @throws ShapesError `SHAPES_INVALID` where shapes are strict */
  add(shape: RDF.Term, statement: string, reason: string): void {
    if (this.strict) throw invalid(shape, reason, { statement });
    const known = this.#reasons.get(reason) ?? { count: 0 };
    this.#reasons.set(reason, known);
    known.count++;
    if (known.count <= MOST_ALIKE) this.#told.push({ shape: shownTerm(shape), statement, reason });
    else known.untold ??= shape;
  }

  /** The first ones of each reason, and how many more there are. */
  get list(): readonly ShapesWarning[] {
    const more: ShapesWarning[] = [];
    for (const [reason, { count, untold }] of this.#reasons) {
      if (untold === undefined) continue;
      const left = count - MOST_ALIKE;
      const statement = `and ${String(left)} more ${left === 1 ? 'statement' : 'statements'}`;
      more.push({ shape: shownTerm(untold), statement, reason });
    }
    return [...this.#told, ...more];
  }
}

/** Names of other versions of SHACL for what has another name today. */
const RENAMED: Readonly<Record<string, string>> = {
  shape: 'node',
  valueShape: 'node',
  value: 'hasValue',
  scopeClass: 'targetClass',
};

/** The name among `known` that is most like another one; `undefined` if none is like it. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (Object.hasOwn(RENAMED, name)) return RENAMED[name];
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 4)) + 1;
  for (const other of known) {
    const distance = editDistance(name.toLowerCase(), other.toLowerCase());
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const change = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
