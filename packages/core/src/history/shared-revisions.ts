/** Revisions of a branch in a history file that another branch has in its history too, even if it has trimmed them. */
import type { WriteOp } from '@quadrille/storage';
import { Ancestry } from '../branch/ancestry.js';
import type { CopiedRange } from '../branch/copied-revisions.js';
import { copiedRanges, idAt, rangeOp, takeOver } from '../branch/copied-revisions.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { lineNumber } from '../branch/locate.js';
import { equalBytes } from '../format/byte-codec.js';
import type { Timeline } from '../timeline/timeline.js';
import type { HistoryFaults, ImportedTransaction } from './imported-revision.js';

/** How far a branch has the history of another one. */
export interface SharedHistory {
  /** All lines of the repository. */
  readonly lines: Lines<OpenLine>;
  /** The line of the other branch. */
  readonly line: number;
  /** The last number that both have. */
  readonly until: number;
}

/** What is written with a revision that is noted as taken over. */
interface TakenWrites {
  readonly ops: readonly WriteOp[];
  /** Finds them, under the write lock, when the revision before is staged. */
  readonly read: () => Promise<void>;
}

export class SharedRevisions {
  /** The newest range of the branch; `undefined` before it is read. */
  #ranges: CopiedRange[] | undefined;

  constructor(
    private readonly timeline: Timeline,
    private readonly shared: SharedHistory,
    private readonly faults: HistoryFaults,
  ) {}

  /**
   * The writes for a revision; `undefined` if the other branch has it not.
   * @throws CorruptionError `LOG_BROKEN` from `read`, if the other branch has another revision of this number
   */
  with(transaction: ImportedTransaction): TakenWrites | undefined {
    if (transaction.revision.number > this.shared.until) return undefined;
    const writes = {
      ops: [] as readonly WriteOp[],
      read: async () => {
        writes.ops = await this.#opsOf(transaction, this.timeline.staged.number + 1);
      },
    };
    return writes;
  }

  async #opsOf({ revision: { id, number }, line: row }: ImportedTransaction, first: number): Promise<WriteOp[]> {
    const { keyspace } = this.timeline;
    const { lines, line } = this.shared;
    const other = await idAt(await lines.keyspace(line), number);
    if (other !== undefined && !equalBytes(other, id))
      throw this.faults.broken(row, `the branch that shares revision ${number} has another one`);
    const ranges = (this.#ranges ??= (await copiedRanges(keyspace)).slice(-1));
    const { line: maker } = await Ancestry.of(lines).made({ line, number });
    const ops = await takeOver(keyspace, lineNumber(keyspace), [{ id, number, first, maker }], ranges);
    return [...ops, rangeOp(keyspace, ranges.at(-1)!)];
  }
}
