/** Neighbours that were read before: searches from many nodes walk over the same edges again and again. */
import { IdTable, RowStore } from '../../execute/table/id-table.js';
import type { IdSet } from '../../execute/table/id-set.js';
import type { Memory } from '../../control/memory.js';

/** Its size limit, and the share of the budget that it may use at most. */
const MAX_BYTES = 128 * 1024 * 1024;
const BUDGET_SHARE = 4;
/** The approximate size of a node and of each neighbour, in bytes. */
const NODE_BYTES = 32;
const NEIGHBOUR_BYTES = 8;

export class PathAdjacency {
  readonly #nodes: IdTable;
  /** Where the neighbours of each node end; they begin where those of the node before end. */
  readonly #ends: RowStore;
  readonly #neighbours: RowStore;
  readonly #column: Uint32Array[] = [];
  readonly #maxBytes: number;

  constructor(memory: Memory) {
    this.#nodes = new IdTable(1, memory);
    this.#ends = new RowStore(1, memory);
    this.#neighbours = new RowStore(1, memory);
    this.#maxBytes = Math.min(MAX_BYTES, memory.budgetBytes / BUDGET_SHARE);
  }

  /** Puts the neighbours of a node in and says how many there are; -1 where they are not known. */
  copy(nodes: IdSet, at: number, into: IdSet): number {
    this.#column[0] = nodes.ids;
    const node = this.#nodes.find(this.#column, at);
    if (node === -1) return -1;
    const ends = this.#ends.columns[0]!;
    const start = node === 0 ? 0 : ends[node - 1]!;
    const end = ends[node]!;
    const neighbours = this.#neighbours.columns[0]!;
    for (let i = start; i < end; i++) into.add(neighbours[i]!);
    return end - start;
  }

  get isFull(): boolean {
    return this.#nodes.size * NODE_BYTES + this.#neighbours.length * NEIGHBOUR_BYTES > this.#maxBytes;
  }

  /** Adds a neighbour of the node that {@link finish} names next. */
  push(neighbour: number): void {
    const store = this.#neighbours;
    store.reserve(1);
    store.columns[0]![store.length++] = neighbour;
  }

  finish(nodes: IdSet, at: number): void {
    this.#column[0] = nodes.ids;
    this.#nodes.insert(this.#column, at);
    this.#ends.reserve(1);
    this.#ends.columns[0]![this.#ends.length++] = this.#neighbours.length;
  }

  free(): void {
    this.#nodes.free();
    this.#ends.free();
    this.#neighbours.free();
  }
}
