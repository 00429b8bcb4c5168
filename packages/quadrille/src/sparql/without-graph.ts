/** A dataset of which one graph is no part of the data: only what names it reads it. */
import type {
  BoundPositions,
  Ends,
  IdDataset,
  IdPattern,
  IdScan,
  IdSeeker,
  IdStatistics,
  ScanOptions,
} from '@quadrille/sparql';
import { LayeredIds } from './layered-ids.js';

/** @param graph its number; 0 if there is no such graph */
export const withoutGraph = (base: IdDataset, graph: number): IdDataset =>
  graph === 0 ? base : new WithoutGraph(base, graph);

class WithoutGraph extends LayeredIds {
  readonly extraGraphs: NonNullable<IdDataset['extraGraphs']>;
  readonly hasNamedGraphs: boolean;

  constructor(
    base: IdDataset,
    private readonly graph: number,
  ) {
    super(base);
    this.extraGraphs = { has: (one) => one === graph || base.extraGraphs?.has(one) === true };
    this.hasNamedGraphs = base.hasNamedGraphs;
  }

  // The evaluator leaves out the rows of such graphs.
  scan(pattern: IdPattern, options?: ScanOptions): IdScan {
    return this.base.scan(pattern, options);
  }

  seeker(bound: BoundPositions): IdSeeker {
    return this.base.seeker(bound);
  }

  async count(pattern: IdPattern, ends?: Ends): Promise<number> {
    const count = await this.base.count(pattern, ends);
    return pattern.g === 0 ? count - (await this.base.count({ ...pattern, g: this.graph }, ends)) : count;
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    return this.base.estimate(pattern);
  }

  override async statistics(): Promise<IdStatistics> {
    const { predicates, graphs } = await this.base.statistics();
    return { predicates, graphs: new Map([...graphs].filter(([graph]) => graph !== this.graph)) };
  }
}
