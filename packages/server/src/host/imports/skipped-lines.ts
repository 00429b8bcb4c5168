/** The lines that an import has skipped: all are counted, and the first are kept with the job. */
import { platform } from '#host-platform';
import type { LoadProblem } from 'quadrille';
import type { LineProblem } from '../jobs/job.js';
import type { RunningJob } from '../jobs/running-job.js';

/** Of the kept ones as JSON. A record of the store has at most 64 KB. */
const KEPT_BYTES = 40_000;

export class SkippedLines {
  #problems: readonly LineProblem[] = [];
  #bytes = 0;
  #count = 0;
  #isFull = false;

  constructor(private readonly running: RunningJob) {}

  add(skipped: LoadProblem): void {
    if (skipped.kind === 'dropped') return;
    const { kind: _, ...problem } = skipped;
    this.#count++;
    this.#bytes += platform.byteLength(JSON.stringify(problem));
    // Those that are kept are the first ones, without a gap.
    this.#isFull ||= this.#bytes > KEPT_BYTES;
    if (!this.#isFull) this.#problems = [...this.#problems, problem];
    this.running.progress({ problemCount: this.#count, problems: this.#problems });
  }
}
