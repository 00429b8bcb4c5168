/** Focus nodes with their value nodes, as columns: most constraints look at thousands of them in one loop. */
import type * as RDF from '@rdfjs/types';
import type { NodeLists } from '../data/shapes-data.js';

/** Terms that are kept, so that several constraints of a shape read them once. */
export const MOST_KEPT_TERMS = 20_000;

export class Checked implements NodeLists {
  /** The terms of the value nodes, once they were read. */
  terms: readonly RDF.Term[] | undefined;

  constructor(
    /** The focus nodes. */
    readonly focus: readonly number[],
    /** The value nodes: those that the path of the shape leads to, or the focus nodes. */
    readonly values: readonly number[],
    readonly ends: readonly number[],
  ) {}

  /** Each node is its own value node. */
  static nodes(nodes: readonly number[]): Checked {
    return new Checked(
      nodes,
      nodes,
      nodes.map((_, at) => at + 1),
    );
  }

  /** Number of focus nodes. */
  get length(): number {
    return this.focus.length;
  }

  /** Where the values of a focus node begin. */
  start(at: number): number {
    return at === 0 ? 0 : this.ends[at - 1]!;
  }

  /** The value nodes of a focus node. */
  valuesOf(at: number): readonly number[] {
    return this.values.slice(this.start(at), this.ends[at]);
  }

  /** Without some focus nodes, by their places. */
  without(places: ReadonlySet<number>): Checked {
    const [focus, values, ends]: [number[], number[], number[]] = [[], [], []];
    for (const [at, node] of this.focus.entries()) {
      if (places.has(at)) continue;
      focus.push(node);
      for (let i = this.start(at); i < this.ends[at]!; i++) values.push(this.values[i]!);
      ends.push(values.length);
    }
    return new Checked(focus, values, ends);
  }
}
