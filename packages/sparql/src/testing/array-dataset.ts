/** The simplest dataset there can be, for tests: an array of quads, each once, matched one by one. */
import type * as RDF from '@rdfjs/types';
import type { TermPattern, WritableDataset } from '../dataset.js';

export class ArrayDataset implements WritableDataset {
  quads: RDF.Quad[];
  /** Scans begun and not yet closed. */
  openScans = 0;
  /** Quads handed out. */
  served = 0;
  /** Sizes of the batches that were added. */
  readonly batches: number[] = [];
  readonly #batchQuads: number;
  readonly #failAfter: number;

  constructor(quads: Iterable<RDF.Quad> = [], options: { batchQuads?: number; failAfter?: number } = {}) {
    this.quads = [...new Map(Array.from(quads, (quad) => [keyOf(quad), quad])).values()];
    this.#batchQuads = options.batchQuads ?? 3;
    this.#failAfter = options.failAfter ?? Infinity;
  }

  async *match(pattern: TermPattern): AsyncGenerator<readonly RDF.Quad[]> {
    this.openScans++;
    try {
      const found = this.#find(pattern);
      for (let start = 0; start < found.length; start += this.#batchQuads) {
        await Promise.resolve();
        const batch = found.slice(start, start + this.#batchQuads);
        this.served += batch.length;
        if (this.served > this.#failAfter) throw new Error('the disk is on fire');
        yield batch;
      }
    } finally {
      this.openScans--;
    }
  }

  async count(pattern: TermPattern): Promise<number> {
    return this.#find(pattern).length;
  }

  async add(quads: readonly RDF.Quad[]): Promise<void> {
    this.batches.push(quads.length);
    const keys = new Set(this.quads.map(keyOf));
    for (const quad of quads) {
      if (keys.has(keyOf(quad))) continue;
      keys.add(keyOf(quad));
      this.quads.push(quad);
    }
  }

  async remove(quads: readonly RDF.Quad[]): Promise<void> {
    const keys = new Set(quads.map(keyOf));
    this.quads = this.quads.filter((quad) => !keys.has(keyOf(quad)));
  }

  async removeMatches(pattern: TermPattern): Promise<void> {
    await this.remove(this.#find(pattern));
  }

  async namedGraphs(): Promise<RDF.Quad_Graph[]> {
    const graphs = new Map(this.quads.map(({ graph }) => [textOf(graph), graph]));
    graphs.delete(textOf({ termType: 'DefaultGraph', value: '' }));
    return [...graphs.values()];
  }

  #find(pattern: TermPattern): RDF.Quad[] {
    return this.quads.filter((quad) =>
      (['subject', 'predicate', 'object', 'graph'] as const).every((name) => pattern[name]?.equals(quad[name]) ?? true),
    );
  }
}

const textOf = (term: Pick<RDF.Term, 'termType' | 'value'>): string => `${term.termType} ${term.value}`;

const keyOf = (term: RDF.Term): string => {
  if (term.termType === 'Literal')
    return JSON.stringify([term.value, term.language, term.direction ?? '', term.datatype.value]);
  if (term.termType !== 'Quad') return textOf(term);
  return JSON.stringify([term.subject, term.predicate, term.object, term.graph].map(keyOf));
};
