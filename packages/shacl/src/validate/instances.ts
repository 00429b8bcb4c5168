/** Which nodes are instances of which classes, also of subclasses. */
import type { BoundTerm } from '../shapes/paths.js';
import { type EdgeReader, sortedNodes } from '../shapes/follow-each.js';
import type { Steps } from '../steps.js';

const NONE: ReadonlySet<number> = new Set();
/** Classes whose superclasses are kept. */
const MOST_CLASSES = 10_000;
/** Nodes that are looked at one by one before all instances of their class are read. */
const FEW_NODES = 1000;
/** Instances that are read for each node that was looked at: reading one in a row is so much faster. */
const READ_FOR_EACH = 64;
/** Instances of a class that are kept. */
const MOST_INSTANCES = 2_000_000;

/** What is known of the instances of a class. */
interface Known {
  /** All of them, once they were read. */
  all: ReadonlySet<number> | undefined;
  /** Nodes that were looked at since the last try to read all. */
  asked: number;
  /** Nodes after which all are read. */
  due: number;
}

export class Instances {
  readonly #superclasses = new Map<number, ReadonlySet<number>>();
  readonly #known = new Map<number, Known>();

  constructor(
    private readonly reader: EdgeReader,
    /** `rdf:type` and `rdfs:subClassOf`. */
    private readonly type: BoundTerm,
    private readonly subClassOf: BoundTerm,
  ) {}

  /** A set in which those of the nodes are that are instances of a class. */
  *among(nodes: readonly number[], type: number): Steps<ReadonlySet<number>> {
    if (type === 0 || this.type.id === 0) return NONE;
    let known = this.#known.get(type);
    if (known === undefined) this.#known.set(type, (known = { all: undefined, asked: 0, due: FEW_NODES }));
    if (known.all !== undefined) return known.all;
    known.asked += nodes.length;
    if (known.asked >= known.due) {
      known.all = yield* this.#all(type, Math.min(known.asked * READ_FOR_EACH, MOST_INSTANCES));
      if (known.all !== undefined) return known.all;
      [known.asked, known.due] = [0, known.due * READ_FOR_EACH];
    }
    const sorted = sortedNodes(nodes);
    const { values, ends } = yield* this.reader.edges(sorted, this.type.id, false);
    const found = new Set<number>();
    let i = 0;
    for (const [at, end] of ends.entries()) {
      for (; i < end; i++) {
        const one = values[i]!;
        if (one === type || (yield* this.#superclassesOf(one)).has(type)) found.add(sorted[at]!);
      }
    }
    return found;
  }

  /** All instances of a class; `undefined` if they are more than `most`. */
  *#all(type: number, most: number): Steps<ReadonlySet<number> | undefined> {
    const found = new Set<number>();
    for (const one of yield* this.subclasses(type)) {
      const cursor = this.reader.data.openSubjects(this.type.id, one);
      try {
        for (let nodes = yield* cursor.next(); nodes.length > 0; nodes = yield* cursor.next()) {
          for (const node of nodes) found.add(node);
          if (found.size > most) return undefined;
        }
      } finally {
        cursor.close();
      }
    }
    return found;
  }

  *#superclassesOf(type: number): Steps<ReadonlySet<number>> {
    if (this.subClassOf.id === 0) return NONE;
    const known = this.#superclasses.get(type);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const open = [type];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const above of yield* this.reader.data.objects(one, this.subClassOf.id)) {
        if (found.has(above)) continue;
        found.add(above);
        open.push(above);
      }
    }
    if (this.#superclasses.size >= MOST_CLASSES) this.#superclasses.clear();
    this.#superclasses.set(type, found);
    return found;
  }

  /** A class and all classes below it. */
  *subclasses(type: number): Steps<readonly number[]> {
    const found = new Set([type]);
    if (this.subClassOf.id === 0) return [...found];
    const open = [type];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const below of yield* this.reader.data.subjects(this.subClassOf.id, one)) {
        if (found.has(below)) continue;
        found.add(below);
        open.push(below);
      }
    }
    return [...found];
  }
}
