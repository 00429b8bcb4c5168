/** Data beside the records of revisions: states of the content hash, from which hashing continues, and signatures. */
import { CorruptionError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter, equalBytes } from '../format/byte-codec.js';
import { CONTENT_STATE_BYTES, readU32, Tag, textKey } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { DIGEST_BYTES } from '../format/digest.js';
import { readRecord } from './log.js';
import type { RevisionRecord } from './record.js';

const VERSION = 1;
const CHAIN_BYTES = 32;
const SIGNATURE_BYTES = 64;
const CHECKPOINT_BYTES = 1 + DIGEST_BYTES + CHAIN_BYTES + CONTENT_STATE_BYTES;
const utf8 = new TextDecoder();

/** The state of the hashes at a revision. */
export interface HashCheckpoint {
  /** The number of the revision. */
  readonly number: number;
  /** The value of the chain, 32 bytes. */
  readonly chain: Uint8Array;
  /** The state of the content hash, 2,048 bytes. */
  readonly content: Uint8Array;
}

/** A signature of the chain up to a revision. */
export interface StoredSignature {
  /** The number of the last revision that is signed. */
  readonly number: number;
  /** Identifies the public key. */
  readonly keyId: string;
  /** Ed25519, 64 bytes. */
  readonly bytes: Uint8Array;
}

/** Reads and writes checkpoints of the hashes and signatures of one repository. */
export class Attestations {
  constructor(private readonly keyspace: Keyspace) {}

  /**
   * The last checkpoint at or before a revision. One that was made of another record with its number does not count: the history
   * was restored, recovered or erased since.
   */
  async checkpoint(at: number): Promise<HashCheckpoint | undefined> {
    const { keyspace } = this;
    const range = {
      gte: keyspace.key(Tag.hashCheckpoint, 0),
      lt: keyspace.key(Tag.hashCheckpoint, at + 1),
      reverse: true,
    };
    for await (const chunk of keyspace.range(range, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        const found = await this.#decode(readU32(key, key.length - 4), value);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  async #decode(number: number, value: Uint8Array): Promise<HashCheckpoint | undefined> {
    if (value.length !== CHECKPOINT_BYTES || value[0] !== VERSION) return undefined;
    const reader = new ByteReader(value.slice(1));
    const record = await readRecord(this.keyspace, number);
    if (!equalBytes(reader.bytes(DIGEST_BYTES), record.digest)) return undefined;
    return { number, chain: reader.bytes(CHAIN_BYTES), content: reader.bytes(CONTENT_STATE_BYTES) };
  }

  /** Stores a checkpoint. */
  async saveCheckpoint({ number, digest }: RevisionRecord, chain: Uint8Array, content: Uint8Array): Promise<void> {
    const value = new ByteWriter(CHECKPOINT_BYTES).u8(VERSION).bytes(digest).bytes(chain).bytes(content).finish();
    await this.keyspace.writeAlone([{ type: 'put', key: this.keyspace.key(Tag.hashCheckpoint, number), value }]);
  }

  /** The signatures of revisions from one number to another, both included, in ascending order. */
  async *signatures(from: number, to: number): AsyncGenerator<StoredSignature> {
    const { keyspace } = this;
    const range = { gte: keyspace.key(Tag.signature, from), lt: keyspace.key(Tag.signature, to + 1) };
    for await (const chunk of keyspace.range(range, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        const number = keyspace.numberIn(key);
        if (value.length !== 1 + SIGNATURE_BYTES || value[0] !== VERSION) {
          const details = { repository: keyspace.name, revision: number };
          const message = `repository ${keyspace.name}: a signature of revision ${String(number)} cannot be read`;
          throw new CorruptionError('LOG_BROKEN', message, { details });
        }
        yield { number, keyId: utf8.decode(key.subarray(keyspace.tagEnd + 4)), bytes: value.slice(1) };
      }
    }
  }

  /** Stores a signature, in place of an earlier one of the same key. */
  async saveSignature(signature: StoredSignature): Promise<void> {
    await this.keyspace.writeAlone([this.signatureOp(signature)]);
  }

  /** The write that stores a signature. */
  signatureOp({ number, keyId, bytes }: StoredSignature): WriteOp {
    const key = textKey(this.keyspace.key(Tag.signature, number), keyId);
    const value = new ByteWriter(1 + SIGNATURE_BYTES).u8(VERSION).bytes(bytes).finish().slice();
    return { type: 'put', key, value };
  }
}
