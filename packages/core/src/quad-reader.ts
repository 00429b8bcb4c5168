/** Turns the rows of a scan into RDF/JS quads, batch by batch, synchronously where nothing has to be fetched. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { MISS } from './cache.js';
import type { LocalTerms } from './dictionary/local-terms.js';
import type { TermDecoder } from './dictionary/term-decoder.js';
import type { Order } from './index/orders.js';
import type { MergeScan } from './index/scan.js';

export class QuadReader {
  readonly #positions: readonly number[];

  constructor(
    private readonly decoder: TermDecoder,
    private readonly scan: MergeScan,
    order: Order,
    private readonly local?: LocalTerms,
  ) {
    this.#positions = [0, 1, 2, 3].map((position) => order.columns.indexOf(position));
  }

  /** The next batch; `undefined` at the end. A promise only where something had to be fetched. */
  next(): RDF.Quad[] | undefined | Promise<RDF.Quad[] | undefined> {
    const rows = this.scan.next();
    if (rows === MISS) return this.scan.fetch().then(() => this.next());
    if (rows === 0) return undefined;
    return this.#decode();
  }

  #decode(): RDF.Quad[] | Promise<RDF.Quad[]> {
    const { columns, start, end } = this.scan.batch;
    const terms: RDF.Term[][] = [];
    let waits: Promise<void>[] | undefined;
    for (const position of this.#positions) {
      const ids = columns[position]!;
      const out: RDF.Term[] = new Array(end - start);
      const missing = this.decoder.tryDecodeCached(ids, start, end, out, this.local);
      const wait = missing && this.decoder.decodeMissing(ids, start, missing, out);
      if (wait !== undefined) (waits ??= []).push(wait);
      terms.push(out);
    }
    if (waits !== undefined) return Promise.all(waits).then(() => assemble(terms, end - start));
    return assemble(terms, end - start);
  }

  close(): void {
    this.scan.close();
  }
}

function assemble(terms: readonly RDF.Term[][], rows: number): RDF.Quad[] {
  const [subjects, predicates, objects, graphs] = terms as [RDF.Term[], RDF.Term[], RDF.Term[], RDF.Term[]];
  const quads: RDF.Quad[] = new Array(rows);
  for (let i = 0; i < rows; i++) {
    quads[i] = dataFactory.quad(
      subjects[i] as RDF.Quad_Subject,
      predicates[i] as RDF.Quad_Predicate,
      objects[i] as RDF.Quad_Object,
      graphs[i] as RDF.Quad_Graph,
    );
  }
  return quads;
}
