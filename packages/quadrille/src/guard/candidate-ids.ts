/** What a change would make of a repository, by ids. */
import type { Candidate } from '@quadrille/core';
import { EngineIdDataset } from '../sparql/id-datasets.js';

export class CandidateIdDataset extends EngineIdDataset {
  readonly planKey: object;
  readonly termKey: object;

  constructor(protected readonly reads: Candidate) {
    super(reads.terms());
    this.planKey = this.termKey = reads.timeline.dictionary;
  }

  get size(): number {
    return this.reads.size + this.reads.changes;
  }

  get hasNamedGraphs(): boolean {
    return this.reads.hasNamedGraphs;
  }
}
