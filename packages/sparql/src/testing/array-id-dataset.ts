/** The simplest store by ids there can be, for tests: sorted arrays and a dictionary of Maps. It can miss at every step. */
import type * as RDF from '@rdfjs/types';
import { checkTerm, DEFAULT_GRAPH } from '@quadrille/model';
import type {
  BoundPositions,
  IdOrder,
  IdPattern,
  IdQuads,
  IdScan,
  IdSeeker,
  IdStatistics,
  ObjectStep,
  ScanOptions,
  WritableIdDataset,
} from '../dataset/id-dataset.js';
import { ArrayScan, bestOrder, sortQuads, type Columns, type ScanSettings } from './array-scan.js';
import { ArrayTerms } from './array-terms.js';

export interface ArrayIdDatasetOptions {
  /** Rows of a scan's window. */
  readonly windowRows?: number;
  /** Whether every term and every window has to be fetched once before it is there. */
  readonly misses?: boolean | undefined;
}

type Row = readonly [s: number, p: number, o: number, g: number];
const isNamed = (graph: number): boolean => graph !== DEFAULT_GRAPH;

export class ArrayIdDataset implements WritableIdDataset {
  async beginReading(): Promise<void> {}

  readonly planKey = {};
  readonly termKey = {};
  /** Scans and seekers begun and not yet closed. */
  openScans = 0;
  readonly terms: ArrayTerms;
  readonly #settings: ScanSettings;
  readonly #rows = new Map<string, Row>();
  readonly #sorted = new Map<IdOrder, Columns>();

  constructor(quads: Iterable<RDF.BaseQuad> = [], { windowRows = 3, misses = false }: ArrayIdDatasetOptions = {}) {
    this.terms = new ArrayTerms(misses);
    this.#settings = { windowRows, misses };
    for (const { subject, predicate, object, graph } of quads) {
      const [s = 0, p = 0, o = 0, g = 0] = [subject, predicate, object, graph].map((term) => this.terms.store(term));
      this.#put([s, p, o, g]);
    }
  }

  get size(): number {
    return this.#rows.size;
  }

  get hasNamedGraphs(): boolean {
    return [...this.#rows.values()].some(([, , , g]) => isNamed(g));
  }

  /** All quads by ids, in no order. */
  get rows(): Row[] {
    return [...this.#rows.values()];
  }

  find(term: RDF.Term): number {
    return this.terms.find(term);
  }
  intern(term: RDF.Term): number {
    return this.terms.intern(term);
  }
  term(id: number): RDF.Term | undefined {
    return this.terms.term(id);
  }
  cachedTerm(id: number): RDF.Term | undefined {
    return this.terms.cachedTerm(id);
  }
  triple(id: number): readonly [number, number, number] | null | undefined {
    return this.terms.triple(id);
  }
  fetchTerm(): Promise<void> {
    return this.terms.fetchTerm();
  }

  scan(pattern: IdPattern, { order, least, greatest }: ScanOptions = {}): IdScan {
    const scan = this.#newScan(order);
    scan.open(pattern, least, greatest);
    return scan;
  }

  seeker(bound: BoundPositions): IdSeeker {
    const seeker = this.#newScan(bound.order);
    const seek = seeker.seek.bind(seeker);
    seeker.seek = (s, p, o, g) => {
      const asked = { s: s !== 0, p: p !== 0, o: o !== 0, g: g !== 0 };
      if (asked.s !== bound.s || asked.p !== bound.p || asked.o !== bound.o || asked.g !== bound.g) {
        throw new Error('a seeker was asked for other positions than it was made for');
      }
      seek(s, p, o, g);
    };
    return seeker;
  }

  #newScan(order: IdOrder | undefined): ArrayScan {
    this.openScans++;
    const prepare = (pattern: IdPattern): { columns: Columns; order: IdOrder } => {
      const chosen = order ?? bestOrder(pattern, isNamed);
      return { columns: this.#columns(chosen), order: chosen };
    };
    return new ArrayScan(prepare, this.#settings, () => this.openScans--);
  }

  #columns(order: IdOrder): Columns {
    const known = this.#sorted.get(order) ?? sortQuads(this.#quads(), order, isNamed);
    this.#sorted.set(order, known);
    return known;
  }

  #quads(): IdQuads {
    const rows = this.rows;
    const column = (place: 0 | 1 | 2 | 3): number[] => rows.map((row) => row[place]);
    return { s: column(0), p: column(1), o: column(2), g: column(3), length: rows.length };
  }

  estimateObjects(predicate: number, least: number, greatest: number): number {
    return this.rows.filter(([, p, o]) => p === predicate && o >= least && o <= greatest).length;
  }

  stepObjects({ predicate, from, rows, descending }: ObjectStep): number | undefined {
    const objects = this.rows.filter(([, p]) => p === predicate).map(([, , o]) => o);
    const left = objects.filter((object) => (descending ? object <= from : object >= from)).toSorted((a, b) => a - b);
    return left.at(descending ? -rows : rows - 1);
  }

  async count(pattern: IdPattern): Promise<number> {
    return this.estimate(pattern);
  }

  estimate(pattern: IdPattern): number {
    const scan = this.#newScan(undefined);
    scan.open(pattern);
    scan.close();
    return scan.count();
  }

  distinct(predicate: number, position: 'subject' | 'object'): number {
    const rows = this.rows.filter(([, p]) => p === predicate);
    return new Set(rows.map(([s, , o]) => (position === 'subject' ? s : o))).size;
  }

  async statistics(): Promise<IdStatistics> {
    const countBy = (place: 1 | 3): Map<number, number> => {
      const counts = new Map<number, number>();
      for (const row of this.rows) counts.set(row[place], (counts.get(row[place]) ?? 0) + 1);
      return counts;
    };
    return { predicates: countBy(1), graphs: countBy(3) };
  }

  async add(quads: IdQuads): Promise<void> {
    const rows = rowsOf(quads);
    for (const row of rows) this.#check(row);
    for (const row of rows) this.#put(row);
  }

  async remove(quads: IdQuads): Promise<void> {
    for (const row of rowsOf(quads)) this.#rows.delete(row.join(' '));
    this.#sorted.clear();
  }

  async removeMatches({ s, p, o, g }: IdPattern): Promise<void> {
    const pattern = [s, p, o, g];
    for (const [key, row] of this.#rows) {
      if (pattern.every((id, place) => id === 0 || id === row[place])) this.#rows.delete(key);
    }
    this.#sorted.clear();
  }

  #put(row: Row): void {
    this.#rows.set(row.join(' '), row);
    this.#sorted.clear();
  }

  #check([s, p, o, g]: Row): void {
    checkTerm(this.terms.termNow(s), 'subject');
    checkTerm(this.terms.termNow(p), 'predicate');
    checkTerm(this.terms.termNow(o), 'object');
    checkTerm(this.terms.termNow(g), 'graph');
  }
}

function rowsOf({ s, p, o, g, length }: IdQuads): Row[] {
  return Array.from({ length }, (_, row) => [s[row]!, p[row]!, o[row]!, g[row]!] as const);
}
