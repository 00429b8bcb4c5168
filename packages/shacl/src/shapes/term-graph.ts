/** The quads of a graph of shapes by subject and predicate. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { RDF_FIRST, RDF_NIL, RDF_REST, RDF_TYPE, SH, SUB_CLASS_OF } from '../vocabulary.js';
import { invalid } from './invalid.js';

const NONE: readonly RDF.Term[] = [];

/** A subject and what is said of it. */
export interface Subject {
  readonly node: RDF.Term;
  /** Objects by the IRI of their predicate. */
  readonly values: ReadonlyMap<string, readonly RDF.Term[]>;
}

export class TermGraph {
  readonly #subjects = new Map<string, { node: RDF.Term; values: Map<string, RDF.Term[]> }>();

  constructor(quads: Iterable<RDF.Quad>) {
    const seen = new Set<string>();
    for (const { subject, predicate, object } of quads) {
      const key = termToNTriples(subject);
      // Of two graphs with the same triple it is the same.
      const triple = `${key} ${predicate.value} ${termToNTriples(object)}`;
      if (seen.has(triple)) continue;
      seen.add(triple);
      let entry = this.#subjects.get(key);
      if (entry === undefined) this.#subjects.set(key, (entry = { node: subject, values: new Map() }));
      const values = entry.values.get(predicate.value);
      if (values === undefined) entry.values.set(predicate.value, [object]);
      else values.push(object);
    }
  }

  get isEmpty(): boolean {
    return this.#subjects.size === 0;
  }

  subjects(): Iterable<Subject> {
    return this.#subjects.values();
  }

  subject(node: RDF.Term): Subject | undefined {
    return this.#subjects.get(termToNTriples(node));
  }

  values(node: RDF.Term, predicate: string): readonly RDF.Term[] {
    return this.subject(node)?.values.get(predicate) ?? NONE;
  }

  /** The values of a predicate of SHACL. */
  sh(node: RDF.Term, name: string): readonly RDF.Term[] {
    return this.values(node, SH + name);
  }

  /** The only value of a predicate of SHACL. @throws ShapesError `SHAPES_INVALID` if there are several */
  one(node: RDF.Term, name: string): RDF.Term | undefined {
    const values = this.sh(node, name);
    if (values.length > 1) throw invalid(node, `it has ${String(values.length)} values of sh:${name}, not one`);
    return values[0];
  }

  /** The members of a list. @throws ShapesError `SHAPES_INVALID` if it is none */
  list(head: RDF.Term, owner: RDF.Term, name: string): readonly RDF.Term[] {
    const members: RDF.Term[] = [];
    const seen = new Set<string>();
    for (let node = head; node.value !== RDF_NIL || node.termType !== 'NamedNode';) {
      const first = this.values(node, RDF_FIRST);
      const rest = this.values(node, RDF_REST);
      const key = termToNTriples(node);
      if (first.length !== 1 || rest.length !== 1 || seen.has(key))
        throw invalid(owner, `the value of sh:${name} is no list that is well formed`);
      seen.add(key);
      members.push(first[0]!);
      node = rest[0]!;
    }
    return members;
  }

  /** Whether a node is an instance of one of the classes, or of a subclass of them. */
  isInstance(node: RDF.Term, classes: readonly string[]): boolean {
    const open = [...this.values(node, RDF_TYPE)];
    const seen = new Set<string>();
    for (let type = open.pop(); type !== undefined; type = open.pop()) {
      if (classes.includes(type.value)) return true;
      if (seen.has(type.value)) continue;
      seen.add(type.value);
      open.push(...this.values(type, SUB_CLASS_OF));
    }
    return false;
  }
}
