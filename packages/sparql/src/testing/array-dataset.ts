/** The simplest dataset there can be, for tests: by terms over one by ids, matched quad by quad. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import type { WritableDataset } from '../dataset/dataset.js';
import type { BoundPositions, IdPattern, IdQuads, IdScan, IdSeeker, ScanOptions } from '../dataset/id-dataset.js';
import { ArrayIdDataset } from './array-id-dataset.js';

export interface ArrayDatasetOptions {
  readonly batchQuads?: number;
  /** Scans fail once they have handed out so many quads. */
  readonly failAfter?: number;
  /** Whether every term and every window has to be fetched once before it is there. */
  readonly misses?: boolean;
}

/** Tells what is read, and fails where it is told to. */
class WatchedIds extends ArrayIdDataset {
  /** Quads handed out by scans. */
  served = 0;
  /** Seeks, and quads that they found. */
  sought = 0;
  readonly #failAfter: number;

  constructor(quads: Iterable<RDF.Quad>, { batchQuads = 3, failAfter = Infinity, misses }: ArrayDatasetOptions) {
    super(quads, { windowRows: batchQuads, misses });
    this.#failAfter = failAfter;
  }

  override scan(pattern: IdPattern, options?: ScanOptions): IdScan {
    const scan = super.scan(pattern, options);
    const next = scan.next.bind(scan);
    scan.next = () => {
      const rows = next();
      this.served += Math.max(rows, 0);
      if (this.served > this.#failAfter) throw new Error('the disk is on fire');
      return rows;
    };
    return scan;
  }

  override seeker(bound: BoundPositions): IdSeeker {
    const seeker = super.seeker(bound);
    const seek = seeker.seek.bind(seeker);
    seeker.seek = (s, p, o, g) => {
      this.sought++;
      seek(s, p, o, g);
    };
    const next = seeker.next.bind(seeker);
    seeker.next = () => {
      const rows = next();
      this.sought += Math.max(rows, 0);
      return rows;
    };
    return seeker;
  }
}

type TermPattern = { readonly [K in 'subject' | 'predicate' | 'object' | 'graph']?: RDF.Term | undefined };

export class ArrayDataset implements WritableDataset {
  readonly ids: WatchedIds;
  /** Sizes of the batches that were added. */
  readonly batches: number[] = [];

  constructor(quads: Iterable<RDF.Quad> = [], options: ArrayDatasetOptions = {}) {
    this.ids = new WatchedIds(quads, options);
    const add = this.ids.add.bind(this.ids);
    this.ids.add = (added: IdQuads) => {
      this.batches.push(added.length);
      return add(added);
    };
  }

  get openScans(): number {
    return this.ids.openScans;
  }

  get served(): number {
    return this.ids.served;
  }

  get quads(): RDF.Quad[] {
    return this.ids.rows.map(([s, p, o, g]) => {
      const [subject, predicate, object, graph] = [s, p, o, g].map((id) => this.ids.term(id)!);
      return dataFactory.quad(
        subject as RDF.Quad_Subject,
        predicate as RDF.Quad_Predicate,
        object as RDF.Quad_Object,
        graph as RDF.Quad_Graph,
      );
    });
  }

  async *match(pattern: TermPattern): AsyncGenerator<readonly RDF.Quad[]> {
    yield this.#find(pattern);
  }

  async count(pattern: TermPattern): Promise<number> {
    return this.#find(pattern).length;
  }

  add(quads: readonly RDF.Quad[]): Promise<void> {
    return this.ids.add(this.#columns(quads));
  }

  remove(quads: readonly RDF.Quad[]): Promise<void> {
    return this.ids.remove(this.#columns(quads));
  }

  async removeMatches(pattern: TermPattern): Promise<void> {
    await this.remove(this.#find(pattern));
  }

  async namedGraphs(): Promise<RDF.Quad_Graph[]> {
    const graphs = new Map(this.quads.map(({ graph }) => [graph.value, graph]));
    graphs.delete('');
    return [...graphs.values()];
  }

  #columns(quads: readonly RDF.Quad[]): IdQuads {
    const column = (name: 'subject' | 'predicate' | 'object' | 'graph'): number[] =>
      quads.map((quad) => this.ids.intern(quad[name]));
    return {
      s: column('subject'),
      p: column('predicate'),
      o: column('object'),
      g: column('graph'),
      length: quads.length,
    };
  }

  #find(pattern: TermPattern): RDF.Quad[] {
    return this.quads.filter((quad) =>
      (['subject', 'predicate', 'object', 'graph'] as const).every((name) => pattern[name]?.equals(quad[name]) ?? true),
    );
  }
}
