/** A dataset in memory as a data graph. The graphs of its quads are ignored. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import type { Steps } from '../steps.js';
import type { Edges, NodeCursor, ShapesData } from './shapes-data.js';

const NONE: readonly number[] = [];

/** Objects by subject by predicate, or the other way round. */
type Side = Map<number, Map<number, Set<number>>>;

/** Numbers the terms of quads, and indexes them. */
export class DatasetData implements ShapesData {
  readonly #numbers = new Map<string, number>();
  readonly #terms: RDF.Term[] = [];
  /** By predicate, subject, object. */
  readonly #forward: Side = new Map();
  /** By predicate, object, subject. */
  readonly #backward: Side = new Map();

  constructor(quads: Iterable<RDF.Quad>) {
    for (const quad of quads) this.add(quad);
  }

  /** Adds a triple. */
  add({ subject, predicate, object }: RDF.Quad): void {
    const [s, p, o] = [this.number(subject), this.number(predicate), this.number(object)];
    put(this.#forward, p, s, o);
    put(this.#backward, p, o, s);
  }

  /** Removes a triple. */
  delete({ subject, predicate, object }: RDF.Quad): void {
    const [s, p, o] = [this.number(subject), this.number(predicate), this.number(object)];
    this.#forward.get(p)?.get(s)?.delete(o);
    this.#backward.get(p)?.get(o)?.delete(s);
  }

  /** The number of a term, which gets one if it has none. */
  number(term: RDF.Term): number {
    const text = termToNTriples(term);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      this.#terms.push(term);
      number = this.#terms.length;
      this.#numbers.set(text, number);
    }
    return number;
  }

  *find(term: RDF.Term): Steps<number> {
    return this.number(term);
  }

  *term(node: number): Steps<RDF.Term> {
    return this.#terms[node - 1]!;
  }

  *objects(subject: number, predicate: number): Steps<readonly number[]> {
    return listOf(this.#forward.get(predicate)?.get(subject));
  }

  *subjects(predicate: number, object: number): Steps<readonly number[]> {
    return listOf(this.#backward.get(predicate)?.get(object));
  }

  *has(subject: number, predicate: number, object: number): Steps<boolean> {
    if (subject === 0) return (this.#backward.get(predicate)?.get(object)?.size ?? 0) > 0;
    const objects = this.#forward.get(predicate)?.get(subject);
    return objects !== undefined && (object === 0 ? objects.size > 0 : objects.has(object));
  }

  *edges(subject: number): Steps<Edges> {
    const predicates: number[] = [];
    const objects: number[] = [];
    for (const [predicate, bySubject] of this.#forward) {
      for (const object of bySubject.get(subject) ?? NONE) {
        predicates.push(predicate);
        objects.push(object);
      }
    }
    return { predicates, objects };
  }

  openSubjects(predicate: number, object: number): NodeCursor {
    if (object !== 0) return cursorOf(this.#backward.get(predicate)?.get(object) ?? NONE);
    return cursorOf(filled(this.#forward.get(predicate)));
  }

  openObjects(predicate: number): NodeCursor {
    return cursorOf(filled(this.#backward.get(predicate)));
  }

  pause(): undefined {
    return undefined;
  }
}

function put(side: Side, predicate: number, from: number, to: number): void {
  let byNode = side.get(predicate);
  if (byNode === undefined) side.set(predicate, (byNode = new Map()));
  const nodes = byNode.get(from);
  if (nodes === undefined) byNode.set(from, new Set([to]));
  else nodes.add(to);
}

const listOf = (nodes: Set<number> | undefined): readonly number[] => (nodes === undefined ? NONE : [...nodes]);

function* filled(byNode: Map<number, Set<number>> | undefined): Generator<number> {
  for (const [node, others] of byNode ?? []) if (others.size > 0) yield node;
}

function cursorOf(nodes: Iterable<number>): NodeCursor {
  const iterator = nodes[Symbol.iterator]();
  return {
    *next(): Steps<number> {
      const { done, value } = iterator.next();
      return done === true ? 0 : value;
    },
    close: () => undefined,
  };
}
