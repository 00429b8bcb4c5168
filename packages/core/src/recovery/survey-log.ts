/**
 * Finds the part of a damaged repository's log that is intact: each record, its changes, and the terms that it uses.
 */
import { CorruptionError } from '@quadrille/model';
import type { QuadrilleError } from '@quadrille/model';
import type { Keyspace } from '../keyspace/keyspace.js';
import { brokenLog, checkLink, readRecord } from '../revision/log.js';
import { baseOf, withoutDelta } from '../revision/record.js';
import type { RevisionRecord } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { BlockRows, ownRows, payloadBlocks, payloadRuns, SIDES } from './payload.js';
import type { DeltaRows } from './payload.js';
import type { KnownIds } from './read-terms.js';
import { attempt } from './remains.js';

export interface LogSurvey {
  /**
   * The last revision before the first gap, without its delta; `undefined` if not even the first revision is intact.
   */
  readonly kept: RevisionRecord | undefined;
  /** Why the next revision cannot be read. Also set if there is no next revision. */
  readonly gap: QuadrilleError;
}

/** Reads the log up to the first revision that is damaged or missing. */
export async function surveyLog(keyspace: Keyspace, known: KnownIds, pacer: Pacer): Promise<LogSurvey> {
  const check = new RevisionCheck(keyspace, known, pacer);
  let kept: RevisionRecord | undefined;
  for (;;) {
    const previous = kept;
    const checked = await attempt(async () => {
      const number = (previous?.number ?? 0) + 1;
      const removed = await TrimmedNumbers.at(keyspace, number);
      const record = await readRecord(keyspace, removed.next(number));
      if (baseOf(record) !== number - 1) throw brokenLog(keyspace, number, 'is missing');
      await check.revision(record, previous);
      return withoutDelta(record);
    });
    if ('problem' in checked) return { kept, gap: checked.problem };
    kept = checked.result;
    if (pacer.due()) await pacer.pause();
  }
}

class RevisionCheck {
  readonly #blockRows = new BlockRows();

  constructor(
    private readonly keyspace: Keyspace,
    private readonly known: KnownIds,
    private readonly pacer: Pacer,
  ) {}

  /** @throws CorruptionError if the record does not follow the one before, or is damaged */
  async revision(record: RevisionRecord, previous: RevisionRecord | undefined): Promise<void> {
    checkLink(this.keyspace, previous, record);
    const size = (previous?.size ?? 0) + record.addedCount - record.removedCount;
    if (size !== record.size)
      throw brokenLog(this.keyspace, record.number, `has a size of ${record.size} quads instead of ${size}`);
    for (const side of SIDES) {
      this.#terms(record, ownRows(record[side]));
      for (const run of payloadRuns(record, side)) {
        for await (const block of payloadBlocks(this.keyspace, run)) {
          this.#terms(record, this.#blockRows.of(block));
          if (this.pacer.due()) await this.pacer.pause();
        }
      }
    }
  }

  #terms({ number }: RevisionRecord, { columns, length }: DeltaRows): void {
    for (const ids of columns) {
      for (let row = 0; row < length; row++) {
        if (this.known.has(ids[row]!)) continue;
        throw new CorruptionError(
          'UNKNOWN_ID',
          `repository ${this.keyspace.name}: revision ${number} uses term ${ids[row]!}, which cannot be read`,
        );
      }
    }
  }
}
