/** Reads the runs that a log record names block by block, without their block tables, which can be rebuilt. */
import type { PayloadRun } from '../index/run/run.js';
import type { IdQuads } from '../index/quad-columns.js';
import { CorruptionError } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import { GROUP_ROWS, Tag } from '../format/layout.js';
import { blockRows, decodeColumn, isBlock, newRowColumns } from '../index/block/block-codec.js';
import type { RowColumns } from '../index/block/block-codec.js';
import { BLOCK_ROWS } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { Digest } from '../format/digest.js';
import type { EndedQuads, RevisionRecord } from '../revision/record.js';

export interface PayloadBlock {
  /** Number of the block in the run. */
  readonly block: number;
  readonly value: Uint8Array;
  readonly words: Uint32Array;
  readonly rows: number;
}

/**
 * The blocks of a run.
 * @throws CorruptionError if a block is missing or unreadable, and at the end if the digest differs from that of the
 * record
 */
export async function* payloadBlocks(
  keyspace: Keyspace,
  { run, rows, digest }: PayloadRun,
): AsyncGenerator<PayloadBlock> {
  const sum = new Digest();
  let left = rows;
  for (let block = 0; left > 0; block++) {
    const value = await keyspace.get(Tag.block, run, block);
    if (value === undefined) throw keyspace.missing(`block ${block} of run ${run}`);
    const words = new Uint32Array(value.slice().buffer);
    const count = isBlock(words, 0) ? blockRows(words, 0) : 0;
    if (count === 0 || count > left) break;
    sum.update(value);
    left -= count;
    yield { block, value, words, rows: count };
  }
  if (left > 0 || !equalBytes(sum.finish(), digest)) {
    throw new CorruptionError(
      'LOG_BROKEN',
      `repository ${keyspace.name}: the digest of run ${run} differs from the one in the log`,
    );
  }
}

/** Rows of one side of a revision, by quad position. Valid until the next ones are read. */
export interface DeltaRows {
  readonly columns: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  readonly length: number;
}

/** The rows in the record itself. */
export const ownRows = ({ s, p, o, g, length }: IdQuads | EndedQuads): DeltaRows => ({ columns: [s, p, o, g], length });

/** Decodes a block in SPOG order. */
export class BlockRows {
  readonly #columns: RowColumns = newRowColumns(BLOCK_ROWS);

  of({ words, rows }: PayloadBlock): DeltaRows {
    const [s, p, o, g] = this.#columns;
    const groups = Math.ceil(rows / GROUP_ROWS);
    for (const [column, out] of [s, p, o, g].entries()) decodeColumn(words, 0, column, 0, groups, out);
    return { columns: [s, p, o, g], length: rows };
  }
}

export type Side = 'added' | 'removed';
export const SIDES: readonly Side[] = ['added', 'removed'];

export const payloadRuns = (record: RevisionRecord, side: Side): readonly PayloadRun[] => record.payload?.[side] ?? [];
