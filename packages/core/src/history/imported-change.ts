/** A large change of a history file. Unlike other large changes it must not remove a quad twice. */
import type { IdQuads } from '../index/quad-columns.js';
import { asIdQuads } from '../write/large-change/sorted-quads.js';
import { LargeChange } from '../write/large-change/large-change.js';
import type { Timeline } from '../timeline/timeline.js';
import { markMembers } from '../index/run/run-members.js';
import type { Pacer } from '../runtime/env.js';

export class ImportedChange extends LargeChange {
  readonly #pacer: Pacer;

  constructor(timeline: Timeline, pacer: Pacer) {
    super(timeline, undefined, pacer);
    this.#pacer = pacer;
  }

  /** Like {@link remove}. Returns false if the rows have a quad twice, or an earlier chunk has removed one of them. */
  async removeOnce(quads: IdQuads): Promise<boolean> {
    const rows = await this.sorted(quads);
    if (rows.length < quads.length) return false;
    // Earlier chunks are compared as runs.
    await this.spill();
    const marks = new Uint8Array(rows.length);
    for (const { runs } of this.written.removed) await markMembers(runs, rows, marks, 1, this.#pacer);
    if (marks.includes(1)) return false;
    await this.remove(asIdQuads(rows));
    return true;
  }
}
