/** The default graph of another repository as a graph of the queried one: patterns go there, rows come back with the ids of here. */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { EvaluationControl } from '../../control/control.js';
import type { Memory } from '../../control/memory.js';
import {
  MISS,
  type Ends,
  type IdDataset,
  type IdOrder,
  type IdPattern,
  type IdScan,
} from '../../dataset/id-dataset.js';
import type { ScanOptions } from '../../dataset/id-dataset.js';
import { finish } from '../../execute/core/waiting.js';
import { radixSort } from '../sort/radix-sort.js';
import { RowStore } from '../../execute/table/id-table.js';
import type { IdTranslation } from './id-translation.js';

export type Position = 's' | 'p' | 'o' | 'g';
const GREATEST_ID = 0xffff_ffff;
const WINDOW_ROWS = 4096;
const ID_BYTES = 4;

/** The positions of an order, the first one first. */
export const positionsOf = (order: IdOrder): readonly Position[] => [...order] as Position[];

/** The order in which the positions that a pattern binds come first. */
export function bestOrder({ s, p, o, g }: IdPattern): IdOrder {
  if (s !== 0) return p === 0 && o !== 0 ? 'ospg' : 'spog';
  if (p !== 0) return 'posg';
  if (o !== 0) return 'ospg';
  return g === 0 ? 'spog' : 'gspo';
}

/** What scans of such a graph use. */
export interface ScanContext {
  readonly memory: Memory;
  readonly control: EvaluationControl;
}

export class RepositoryGraph {
  constructor(
    /** Its id in the queried repository. */
    readonly id: number,
    readonly dataset: IdDataset,
    readonly inward: IdTranslation,
    readonly outward: IdTranslation,
    private readonly context: ScanContext,
  ) {}

  scan(pattern: IdPattern, options: ScanOptions): IdScan {
    return new RepositoryGraphScan(this, pattern, options, this.context);
  }

  async count(pattern: IdPattern, ends?: Ends): Promise<number> {
    return this.dataset.count(await this.patternThere(pattern), ends);
  }

  async estimate(pattern: IdPattern): Promise<number> {
    return this.dataset.estimate(await this.patternThere(pattern));
  }

  /** The pattern in the default graph of the other repository. */
  async patternThere({ s, p, o }: IdPattern): Promise<IdPattern> {
    const there = await this.inward.column(Uint32Array.of(s, p, o), 3);
    return { s: there[0]!, p: there[1]!, o: there[2]!, g: DEFAULT_GRAPH };
  }
}

/** All rows that match, read at the first step: their order here is another one than there. */
class RepositoryGraphScan implements IdScan {
  s = new Uint32Array(0);
  p = this.s;
  o = this.s;
  g = this.s;
  start = 0;
  end = 0;
  #rows: RowStore | undefined;
  #length = 0;
  #bytes = 0;
  #closed = false;

  constructor(
    private readonly graph: RepositoryGraph,
    private readonly pattern: IdPattern,
    private readonly options: ScanOptions,
    private readonly context: ScanContext,
  ) {}

  next(): number {
    if (this.#rows === undefined) return MISS;
    this.graph.dataset.check?.();
    this.start = this.end;
    this.end = Math.min(this.#length, this.start + WINDOW_ROWS);
    return this.end - this.start;
  }

  async fetch(): Promise<void> {
    const rows = new RowStore(3, this.context.memory);
    this.#rows = rows;
    await this.#read(rows);
    if (this.#closed) return rows.free();
    await this.#arrange(rows);
  }

  async #read(rows: RowStore): Promise<void> {
    const { graph, context } = this;
    const scan = graph.dataset.scan(await graph.patternThere(this.pattern));
    try {
      for (let found = scan.next(); found !== 0 && !this.#closed; found = scan.next()) {
        await context.control.checkpoint();
        if (found === MISS) {
          await scan.fetch();
          continue;
        }
        const columns = [scan.s, scan.p, scan.o].map((column) => column.slice(scan.start, scan.end));
        const translated: Uint32Array[] = [];
        for (const column of columns) translated.push(await graph.outward.column(column, found));
        rows.append(translated, found);
      }
    } finally {
      scan.close();
    }
  }

  // Rows in the order that is asked for, and within its bounds.
  async #arrange(rows: RowStore): Promise<void> {
    const { order = bestOrder(this.pattern), least = 0, greatest = GREATEST_ID } = this.options;
    const { length } = rows;
    // Columns of this scan, what sorts them, and the graph.
    this.#reserve(length * ID_BYTES * 6);
    const [s, p, o] = rows.columns as [Uint32Array, Uint32Array, Uint32Array];
    const places = positionsOf(order).filter((place) => place !== 'g' && this.pattern[place] === 0);
    const columnOf = { s, p, o, g: s };
    const keys = places.map((place) => ({ ranks: columnOf[place], greatest: GREATEST_ID, descending: false }));
    const sorted = await finish(radixSort(length, keys, this.context.control));
    const [first] = keys;
    const inBounds = (row: number): boolean => first === undefined || isWithin(first.ranks[row]!, least, greatest);
    const kept = least === 0 && greatest === GREATEST_ID ? sorted : sorted.filter(inBounds);
    this.#length = kept.length;
    this.s = kept.map((row) => s[row]!);
    this.p = kept.map((row) => p[row]!);
    this.o = kept.map((row) => o[row]!);
    this.g = new Uint32Array(kept.length).fill(this.graph.id);
  }

  #reserve(bytes: number): void {
    this.context.memory.reserve(bytes);
    this.#bytes += bytes;
  }

  close(): void {
    this.#closed = true;
    this.#rows?.free();
    this.context.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}

const isWithin = (id: number, least: number, greatest: number): boolean => id >= least && id <= greatest;
