/**
 * The keys of a line of history other than `main`. Its log, runs and statistics are its own; the dictionary, the tags
 * and everything else are those of the repository.
 */
import type { Bytes, StorageEngine, WriteOp } from '@quadrille/storage';
import { ByteWriter } from '../format/byte-codec.js';
import { afterPrefix, dataKey, lineKey, LINE_TAGS, Tag } from '../format/layout.js';
import type { ErasedAt } from './erased-at.js';
import { Keyspace } from './keyspace.js';

/** Area, repository, tag, line, tag. */
const TAG_END = 11;

export class LineKeyspace extends Keyspace {
  constructor(
    /** The keyspace of the repository. */
    readonly root: Keyspace,
    /** The keyspace of the line on which this line begins. */
    readonly base: Keyspace,
    /** The number of the line, as it stands in keys. */
    readonly line: number,
    /** The last revision of the base that belongs to the line. */
    readonly fork: number,
  ) {
    super(root.engine, root.cache, root.id, root.name, root.durable, root.tuning, root.format);
    this.shared = root.sharedState;
    this.onWriteFailure = (error) => root.onWriteFailure?.(error);
  }

  override get erasedAt(): ErasedAt {
    return this.root.erasedAt;
  }

  override set erasedAt(erasedAt: ErasedAt) {
    this.root.erasedAt = erasedAt;
  }

  override on(engine: StorageEngine): LineKeyspace {
    return new LineKeyspace(this.root.on(engine), this.base.on(engine), this.line, this.fork);
  }

  override key(tag: number, ...numbers: number[]): Bytes {
    if (!LINE_TAGS.has(tag)) return super.key(tag, ...numbers);
    return lineKey(this.id, this.line, tag, ...numbers);
  }

  override get title(): string {
    return `${this.name} line ${this.line}`;
  }

  override get tagEnd(): number {
    return TAG_END;
  }

  override get everything(): { gte: Bytes; lt: Bytes } {
    const gte = dataKey(this.id, Tag.lineData, this.line);
    return { gte, lt: afterPrefix(gte) };
  }

  override at(revision: number): Keyspace {
    return revision > this.fork ? this : this.base.at(revision);
  }

  override endAt(revision: number): number {
    return revision > this.fork ? super.endAt(revision) : Math.min(this.fork, this.base.endAt(revision));
  }

  override recordOps(record: { readonly number: number; readonly id: Uint8Array }, encoded: Bytes): WriteOp[] {
    const value = new ByteWriter(8).u32(this.line).u32(record.number).finish().slice();
    return [...super.recordOps(record, encoded), { type: 'put', key: revisionIdKey(this, record.id), value }];
  }
}

/** The key under which the lines of a revision stand. */
export function revisionIdKey(keyspace: Keyspace, id: Uint8Array): Bytes {
  const head = dataKey(keyspace.id, Tag.revisionId);
  const key = new Uint8Array(head.length + id.length);
  key.set(head);
  key.set(id, head.length);
  return key;
}
