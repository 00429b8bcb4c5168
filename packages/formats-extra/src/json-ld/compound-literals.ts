/**
 * Finds blank nodes that represent a string with a base direction (`rdfDirection: 'compound-literal'`), so that the serialiser can
 * write the string instead. A blank node and the statement that refers to it may be far apart, so both are held until the
 * end. If they take too much memory, they are written unchanged, which has the same meaning.
 */
import { XSD_STRING } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { COMPOUND, directedText } from './text-direction.js';
import type { DirectedText } from './text-direction.js';

/** Largest number of UTF-16 units that are held. */
const MAX_HELD = 16 * 1024 * 1024;
/** Overhead of a held statement besides its texts, in the same units. */
const QUAD_COST = 256;
const PARTS: ReadonlySet<string> = new Set(Object.values(COMPOUND));

export class CompoundLiterals {
  readonly #maxHeld: number;
  /** Statements that may be parts of a compound literal or refer to one. */
  #held: RDF.Quad[] = [];
  /** Labels of blank nodes that are not compound literals. */
  readonly #others = new Set<string>();
  #cost = 0;
  #isFull = false;

  constructor(maxHeld = MAX_HELD) {
    this.#maxHeld = maxHeld;
  }

  /** Takes statements and returns those that can be written now. */
  take(quads: readonly RDF.Quad[]): readonly RDF.Quad[] {
    if (this.#isFull) return quads;
    const free = quads.filter((quad) => !this.#hold(quad));
    if (this.#cost <= this.#maxHeld) return free;
    this.#isFull = true;
    const held = this.#held;
    this.#held = [];
    this.#others.clear();
    return [...held, ...free];
  }

  /** Returns the held statements. `texts` has the strings that replace the objects of their statements. */
  rest(): { readonly quads: readonly RDF.Quad[]; readonly texts: ReadonlyMap<RDF.Quad, DirectedText> } {
    const compounds = this.#compounds();
    const texts = new Map<RDF.Quad, DirectedText>();
    for (const quad of this.#held) {
      const text = quad.object.termType === 'BlankNode' ? compounds.get(quad.object.value) : undefined;
      if (text !== undefined) texts.set(quad, text);
    }
    const quads = this.#held
      .filter(({ subject }) => subject.termType !== 'BlankNode' || !compounds.has(subject.value))
      .sort((a, b) => order(a.graph, b.graph) || order(a.subject, b.subject));
    return { quads, texts };
  }

  #hold(quad: RDF.Quad): boolean {
    const { subject, object, graph } = quad;
    const isPart = subject.termType === 'BlankNode' && isCompoundPart(quad);
    if (subject.termType === 'BlankNode' && !isPart) this.#exclude(subject.value);
    if (graph.termType === 'BlankNode') this.#exclude(graph.value);
    if (!isPart && object.termType !== 'BlankNode') return false;
    this.#held.push(quad);
    this.#cost += QUAD_COST + subject.value.length + object.value.length + graph.value.length;
    return true;
  }

  #exclude(label: string): void {
    if (this.#others.has(label)) return;
    this.#others.add(label);
    this.#cost += QUAD_COST + label.length;
  }

  /** The strings, by the labels of their blank nodes. */
  #compounds(): Map<string, DirectedText> {
    const parts = new Map<string, RDF.Quad[]>();
    const references = new Map<string, RDF.Quad[]>();
    for (const quad of this.#held) {
      const isPart = quad.object.termType !== 'BlankNode';
      const label = isPart ? quad.subject.value : quad.object.value;
      const list = isPart ? parts : references;
      const known = list.get(label);
      if (known === undefined) list.set(label, [quad]);
      else known.push(quad);
    }
    const compounds = new Map<string, DirectedText>();
    for (const [label, quads] of parts) {
      const [reference, ...more] = references.get(label) ?? [];
      if (this.#others.has(label) || reference === undefined || more.length > 0) continue;
      if (quads.some(({ graph }) => !graph.equals(reference.graph))) continue;
      const text = compoundOf(quads);
      if (text !== undefined) compounds.set(label, text);
    }
    return compounds;
  }
}

const isCompoundPart = ({ predicate, object }: RDF.Quad): boolean =>
  PARTS.has(predicate.value) && object.termType === 'Literal' && object.datatype.value === XSD_STRING;

function compoundOf(quads: readonly RDF.Quad[]): DirectedText | undefined {
  const values = new Map(quads.map(({ predicate, object }) => [predicate.value, object.value]));
  const value = values.get(COMPOUND.value);
  if (values.size !== quads.length || value === undefined) return undefined;
  const language = values.get(COMPOUND.language);
  return language === '' ? undefined : directedText(value, language ?? '', values.get(COMPOUND.direction) ?? '');
}

function order(a: RDF.Term, b: RDF.Term): number {
  const [left, right] = [a.termType + a.value, b.termType + b.value];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
