/** The option `extraGraphs` of queries: graphs that are not stored, laid over a dataset for one query. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, iri, termToText, yieldTurn } from '@quadrille/model';
import type {
  Ends,
  BoundPositions,
  IdDataset,
  IdPattern,
  IdScan,
  IdSeeker,
  IdStatistics,
  QueryableDataset,
  ScanOptions,
} from '@quadrille/sparql';
import type { ExtraGraphs } from '../api/index.js';
import { bestOrder, columnsFor, ExtraRows } from './extra-rows.js';
import { idOf, LayeredIds } from './layered-ids.js';
import { OverlaidScan, OverlaidSeeker } from './overlaid-scan.js';

/** They are held in memory while the query runs. */
const MAX_QUADS = 1_000_000;
const BATCH_QUADS = 1024;

/**
 * A dataset with further graphs; a stored graph of such a name is hidden. Only what names them sees them: GRAPH, FROM, FROM NAMED
 * and the options that stand in for these.
 */
export async function withExtraGraphs(base: QueryableDataset, graphs: ExtraGraphs): Promise<QueryableDataset> {
  const quads = new Map<string, readonly RDF.Quad[]>();
  for (const [name, items] of Object.entries(graphs)) quads.set(name, await collected(items, name));
  return { ids: await OverlaidIds.over(base.ids, quads) };
}

async function collected(
  items: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  name: string,
): Promise<readonly RDF.Quad[]> {
  const quads = new Map<string, RDF.Quad>();
  for await (const quad of items) {
    const { subject, predicate, object } = quad;
    quads.set(`${termToText(subject)} ${termToText(predicate)} ${termToText(object)}`, quad);
    if (quads.size > MAX_QUADS) {
      throw new EvaluationError('QUERY_MEMORY', `the graph ${name} has more than ${String(MAX_QUADS)} statements`);
    }
    if (quads.size % BATCH_QUADS === 0) await yieldTurn();
  }
  return [...quads.values()];
}

type Quads = ReadonlyMap<string, readonly RDF.Quad[]>;

class OverlaidIds extends LayeredIds {
  readonly hasNamedGraphs: boolean;

  private constructor(
    base: IdDataset,
    readonly extraGraphs: ReadonlySet<number>,
    private readonly rows: ExtraRows,
  ) {
    super(base);
    this.hasNamedGraphs = base.hasNamedGraphs || extraGraphs.size > 0;
  }

  static async over(base: IdDataset, quads: Quads): Promise<OverlaidIds> {
    const graphs = new Set<number>();
    const rows = columnsFor([...quads.values()].reduce((total, { length }) => total + length, 0));
    let row = 0;
    for (const [name, found] of quads) {
      const graph = await idOf(base, iri(name));
      graphs.add(graph);
      for (const { subject, predicate, object } of found) {
        rows.s[row] = await idOf(base, subject);
        rows.p[row] = await idOf(base, predicate);
        rows.o[row] = await idOf(base, object);
        rows.g[row++] = graph;
        if (row % BATCH_QUADS === 0) await yieldTurn();
      }
    }
    return new OverlaidIds(base, graphs, new ExtraRows(rows));
  }

  scan(pattern: IdPattern, options: ScanOptions = {}): IdScan {
    if (this.extraGraphs.has(pattern.g)) return this.rows.scan(pattern, options);
    if (pattern.g !== 0) return this.base.scan(pattern, options);
    const order = options.order ?? bestOrder(pattern);
    const ordered = { ...options, order };
    const extra = this.rows.scan(pattern, ordered);
    return new OverlaidScan(this.base.scan(pattern, ordered), extra, this.extraGraphs, order);
  }

  seeker(bound: BoundPositions): IdSeeker {
    const isOverlaid = (graph: number): boolean => graph === 0 || this.extraGraphs.has(graph);
    return new OverlaidSeeker(
      isOverlaid,
      (pattern) => this.scan(pattern),
      () => this.base.seeker(bound),
    );
  }

  async count(pattern: IdPattern, ends?: Ends): Promise<number> {
    if (this.extraGraphs.has(pattern.g)) return this.rows.count(pattern);
    let count = await this.base.count(pattern, ends);
    if (pattern.g !== 0) return count;
    for (const g of this.extraGraphs) count -= await this.base.count({ ...pattern, g }, ends);
    return count + this.rows.count(pattern);
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    if (this.extraGraphs.has(pattern.g)) return this.rows.count(pattern);
    const stored = this.base.estimate(pattern);
    if (pattern.g !== 0) return stored;
    const extra = this.rows.count(pattern);
    return stored instanceof Promise ? stored.then((count) => count + extra) : stored + extra;
  }

  override async statistics(): Promise<IdStatistics> {
    const { predicates, graphs } = await this.base.statistics();
    return { predicates, graphs: new Map([...graphs].filter(([graph]) => !this.extraGraphs.has(graph))) };
  }
}
