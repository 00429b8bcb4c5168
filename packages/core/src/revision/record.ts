/** The log record of one revision, and its encoding. */
import type { IdQuads } from '../index/quad-columns.js';
import type { PayloadRun } from '../index/run/run.js';
import { CorruptionError } from '@quadrille/model';
import { uuidText } from './uuid.js';
import { ByteReader, ByteWriter, equalBytes, varintBytes } from '../format/byte-codec.js';
import { PART_BYTES } from '../format/layout.js';
import { DIGEST_BYTES, digestOf } from '../format/digest.js';
import type { RevisionKind, LaterFields } from './record-fields.js';
import {
  keptFields,
  NO_ATTESTATION,
  NO_LINEAGE,
  readAttestation,
  readLineage,
  readOptionalId,
  writeAttestation,
  writeLineage,
  writeOptionalId,
} from './record-fields.js';

export type { RevisionKind } from './record-fields.js';

/**
 * A commit: what it was made by, and how much it changed.
 * @since 0.1.0
 */
export interface Revision {
  /** UUID, usually of version 7. */
  readonly id: string;
  /** Number of the revision. Each commit adds 1; revision 1 is the empty repository. */
  readonly number: number;
  /** UUID of the revision before this one; `undefined` for revision 1. */
  readonly parent: string | undefined;
  /** UUIDs of the revision before this one and, of a merge, of the revision that was merged. Empty for revision 1. */
  readonly parents: readonly string[];
  /** How it was made: `'commit'`, `'merge'`, `'erase'`, or `'squash'` if it also stands for trimmed revisions before it. */
  readonly kind: RevisionKind;
  /** UUID of the revision whose changes this one repeats. Absent if there is none. */
  readonly origin?: string;
  /** Name of the branch that has made it, if it still has a branch. Only `log({ branches: 'all' })` tells it. */
  readonly branch?: string;
  /** When it was committed. Later revisions have later or equal times. */
  readonly time: Date;
  /** The author, as the committer named it. */
  readonly author: string | undefined;
  /** Why it was made, as the committer said. */
  readonly message: string | undefined;
  /** Number of quads that it added. */
  readonly added: number;
  /** Number of quads that it removed. */
  readonly removed: number;
  /** Number of quads in the repository at this revision. */
  readonly size: number;
  /**
   * Number of violations of the shapes that it was committed with, where the settings have `shapesMode: 'report'`. Absent if there was none;
   * at most 1,000.
   */
  readonly violations?: number;
  /**
   * Number of erasures since it was made. Each may have changed what the revision has and had. Absent if there was none. After
   * thousands of erasures in a repository it may be greater, but still grows with each.
   */
  readonly erasures?: number;
}

/** Quads whose intervals began. In a squash the revisions of the record do not tell where, so each has its `from`. */
export interface BegunQuads extends IdQuads {
  readonly from?: Uint32Array | undefined;
}

/** Quads whose intervals ended, with the `from` of each interval, and in a squash with its `to`. */
export interface EndedQuads extends IdQuads {
  readonly from: Uint32Array;
  readonly to?: Uint32Array | undefined;
}

/** The part of a large delta that is stored in runs. */
export interface RunPayload {
  readonly added: readonly PayloadRun[];
  /** Runs of tombstones. */
  readonly removed: readonly PayloadRun[];
}

/** A revision as the log stores it. */
export interface RevisionRecord extends LaterFields {
  /** Number of the revision. */
  readonly number: number;
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** 16 bytes: the id of the revision before; `undefined` for revision 1. */
  readonly parentId: Uint8Array | undefined;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The author. */
  readonly author: string | undefined;
  /** Why it was made. */
  readonly message: string | undefined;
  /** Number of quads that it added. */
  readonly addedCount: number;
  /** Number of quads that it removed. */
  readonly removedCount: number;
  /** Number of quads in the repository at this revision. */
  readonly size: number;
  /** Lowest id that the next new term may get. The revision uses no id from here on. */
  readonly termMark: number;
  /**
   * The part of the delta in the record: all of a small delta; of a large one the changes made while it was prepared.
   */
  readonly added: BegunQuads;
  /** The removals of the delta in the record. */
  readonly removed: EndedQuads;
  /** The part of a large delta that is stored in runs. */
  readonly payload: RunPayload | undefined;
  /** Digest of the record before. */
  readonly parentDigest: Uint8Array;
  /** Digest of this record. */
  readonly digest: Uint8Array;
  /** Not in the record: the number of erasures since it was made, if there was one. */
  readonly erasures?: number | undefined;
}

/** A record whose digest is not computed yet. */
export type RevisionBody = Omit<RevisionRecord, 'digest'>;

/** What says who made a revision, when and how, but not what it has changed. */
export interface RevisionHeaders
  extends
    Pick<RevisionRecord, 'number' | 'id' | 'parentId' | 'time' | 'author' | 'message'>,
    Omit<LaterFields, 'form' | 'rewritten' | 'since' | 'violations'> {}

/** What a change makes, as the revision that another line or a file has: that has the headers. */
export const withHeaders = (
  {
    parentId,
    violations,
    addedCount,
    removedCount,
    size,
    termMark,
    added,
    removed,
    payload,
    parentDigest,
  }: RevisionBody,
  { number, id, time, author, message, kind, mergedParent, origin, nonce, integrity, signature }: RevisionHeaders,
): RevisionBody => ({
  // All members are listed: a spread makes an object that is several times slower to make and to read.
  form: 2,
  rewritten: false,
  kind,
  mergedParent,
  origin,
  violations,
  nonce,
  integrity,
  signature,
  number,
  id,
  parentId,
  time,
  author,
  message,
  addedCount,
  removedCount,
  size,
  termMark,
  added,
  removed,
  payload,
  parentDigest,
});

/** The record that takes the place of another one. */
export const rewritten = (record: RevisionBody, change: Partial<RevisionBody>): RevisionBody => ({
  ...record,
  form: 2,
  rewritten: true,
  ...change,
});

const utf8 = new TextEncoder();
const NO_IDS = new Uint32Array(0);
const NO_QUADS: EndedQuads = { length: 0, s: NO_IDS, p: NO_IDS, o: NO_IDS, g: NO_IDS, from: NO_IDS };

/** A copy of a record without its delta, to be kept for long. It shares no memory with the record. */
export function withoutDelta(record: RevisionRecord): RevisionRecord {
  const { number, time, author, message, addedCount, removedCount, size, termMark, erasures } = record;
  return {
    ...keptFields(record),
    number,
    time,
    author,
    message,
    addedCount,
    removedCount,
    size,
    termMark,
    erasures,
    // The ids may be views of a larger array that was read.
    id: record.id.slice(),
    parentId: record.parentId?.slice(),
    parentDigest: record.parentDigest.slice(),
    digest: record.digest.slice(),
    added: NO_QUADS,
    removed: NO_QUADS,
    payload: undefined,
  };
}

/** The first byte of a record is the number of its form. A rewritten one has form 2 and this number. */
const REWRITTEN = 3;

type Made = Pick<LaterFields, 'form' | 'rewritten'>;

function madeOf(byte: number): Made {
  if (byte === REWRITTEN) return { form: 2, rewritten: true };
  if (byte === 1 || byte === 2) return { form: byte, rewritten: false };
  throw new CorruptionError('LOG_BROKEN', `a revision record has the unknown form ${byte}`);
}

// One shared writer: allocating an array buffer costs as much as encoding a small record.
const recordWriter = new ByteWriter(4096);

/** Encodes a record in its form, and computes its digest. */
export function encodeRecord(record: RevisionBody): { bytes: Uint8Array; digest: Uint8Array } {
  const writer = recordWriter.clear();
  writer
    .u8(record.rewritten ? REWRITTEN : record.form)
    .varint(record.number)
    .bytes(record.id);
  writeOptionalId(writer, record.parentId);
  writer.f64(record.time).optionalText(record.author).optionalText(record.message);
  const isFirst = record.form === 1;
  if (!isFirst) writeLineage(writer, record);
  if (record.rewritten) writer.varint(record.since ?? 0);
  writer.varint(record.addedCount).varint(record.removedCount).varint(record.size).varint(record.termMark);
  writeQuads(writer, record.added);
  writeQuads(writer, record.removed);
  writeNumbers(writer, record.removed.from, record.removed.length);
  if (isSquash(record)) {
    writeNumbers(writer, record.added.from!, record.added.length);
    writeNumbers(writer, record.removed.to!, record.removed.length);
  }
  if (record.payload === undefined) writer.u8(0);
  else writePayload(writer.u8(1), record.payload);
  if (!isFirst) writeAttestation(writer, record);
  writer.bytes(record.parentDigest);
  const digest = digestOf(writer.finish());
  return { bytes: writer.bytes(digest).finish().slice(), digest };
}

/** @throws CorruptionError `LOG_BROKEN` if the record cannot be decoded or its digest does not match */
export function decodeRecord(bytes: Uint8Array): RevisionRecord {
  try {
    return readRecord(bytes);
  } catch (cause) {
    if (cause instanceof CorruptionError && cause.code === 'LOG_BROKEN') throw cause;
    throw new CorruptionError('LOG_BROKEN', 'a revision record cannot be read', { cause });
  }
}

function readRecord(bytes: Uint8Array): RevisionRecord {
  const reader = new ByteReader(bytes);
  const made = madeOf(reader.u8());
  const isFirst = made.form === 1;
  const number = reader.varint();
  const id = reader.bytes(16);
  const parentId = readOptionalId(reader);
  const head = { time: reader.f64(), author: reader.optionalText(), message: reader.optionalText() };
  const lineage = isFirst ? NO_LINEAGE : readLineage(reader);
  const squash = isSquash({ ...made, ...lineage });
  const base = made.rewritten ? reader.varint() : undefined;
  const counts = {
    addedCount: reader.varint(),
    removedCount: reader.varint(),
    size: reader.varint(),
    termMark: reader.varint(),
  };
  const begun = readQuads(reader);
  const ended = readQuads(reader);
  const from = readNumbers(reader, ended.length);
  const added = squash ? { ...begun, from: readNumbers(reader, begun.length) } : begun;
  const removed = squash ? { ...ended, from, to: readNumbers(reader, ended.length) } : { ...ended, from };
  const payload = reader.u8() === 1 ? readPayload(reader) : undefined;
  const attestation = isFirst ? NO_ATTESTATION : readAttestation(reader);
  const parentDigest = reader.bytes(DIGEST_BYTES);
  const body = bytes.subarray(0, reader.position);
  const digest = reader.bytes(DIGEST_BYTES);
  if (!equalBytes(digestOf(body), digest)) {
    throw new CorruptionError('LOG_BROKEN', `the digest of revision ${number} does not match its record`);
  }
  return {
    ...made,
    ...lineage,
    ...attestation,
    since: squash ? base : undefined,
    number,
    id,
    parentId,
    ...head,
    ...counts,
    added,
    removed,
    payload,
    parentDigest,
    digest,
  };
}

/** Whether the changes of a record begin further back than at the revision before, and its rows tell their revisions. */
export const isSquash = ({ rewritten, kind }: Pick<LaterFields, 'rewritten' | 'kind'>): boolean =>
  rewritten && kind === 'squash';

/** The number of the revision from which the changes of a record begin; 0 if there is none. */
export const baseOf = ({ since, number }: Pick<RevisionRecord, 'since' | 'number'>): number => since ?? number - 1;

/** Largest record, in bytes. */
const MAX_RECORD_BYTES = PART_BYTES;
/** Largest size, in bytes, of a record without delta, texts and runs; and of the entry of one run. */
const HEAD_BYTES = 768;
const PAYLOAD_RUN_BYTES = 2 * 8 + DIGEST_BYTES;
/** Smallest and largest size of a row, which has four or five numbers, in bytes. */
const LEAST_ROW_BYTES = 4;
const MOST_ROW_BYTES = 25;

/** Largest number of quads that a delta of this many encoded bytes can have. */
export const mostRowsIn = (bytes: number): number => Math.floor(bytes / LEAST_ROW_BYTES);

/** Number of quads of which every delta has at most this many encoded bytes. */
export const rowsThatFit = (bytes: number): number => Math.floor(bytes / MOST_ROW_BYTES);

/** Whether a sorted delta has at most this many encoded bytes. */
export function fitsInRecord(added: IdQuads, removed: EndedQuads, bytes: number): boolean {
  const rows = added.length + removed.length;
  if (rows <= rowsThatFit(bytes)) return true;
  return rows <= mostRowsIn(bytes) && quadsBytes(added) + quadsBytes(removed) + fromBytes(removed) <= bytes;
}

/**
 * The bytes of a record that its texts and the entries of its runs leave for the delta of a large change. `most` is the largest
 * size of any delta.
 */
export function deltaBytesLeft(
  most: number,
  runs: number,
  said: { author?: string | undefined; message?: string | undefined },
): number {
  const texts = [said.author, said.message].reduce((sum, text = '') => sum + utf8.encode(text).length, 0);
  return Math.min(most, MAX_RECORD_BYTES - HEAD_BYTES - texts - runs * PAYLOAD_RUN_BYTES);
}

function quadsBytes(quads: IdQuads): number {
  let bytes = 0;
  for (const column of [quads.s, quads.p, quads.o, quads.g]) {
    let previous = 0;
    for (let i = 0; i < quads.length; i++) {
      bytes += varintBytes(zigzag(column[i]! - previous));
      previous = column[i]!;
    }
  }
  return bytes;
}

function fromBytes({ from, length }: EndedQuads): number {
  let bytes = 0;
  for (let i = 0; i < length; i++) bytes += varintBytes(from[i]!);
  return bytes;
}

const zigzag = (step: number): number => (step < 0 ? -step * 2 - 1 : step * 2);

// Each number is the zigzag difference to the quad before. Sorted quads need one or two bytes per id.
function writeQuads(writer: ByteWriter, quads: IdQuads): void {
  writer.varint(quads.length);
  for (const column of [quads.s, quads.p, quads.o, quads.g]) {
    let previous = 0;
    for (let i = 0; i < quads.length; i++) {
      writer.varint(zigzag(column[i]! - previous));
      previous = column[i]!;
    }
  }
}

function readQuads(reader: ByteReader): IdQuads {
  const length = reader.varint();
  const columns = [0, 1, 2, 3].map(() => {
    const column = new Uint32Array(length);
    let previous = 0;
    for (let i = 0; i < length; i++) {
      const step = reader.varint();
      previous += step % 2 === 1 ? -(step + 1) / 2 : step / 2;
      column[i] = previous;
    }
    return column;
  });
  return { length, s: columns[0]!, p: columns[1]!, o: columns[2]!, g: columns[3]! };
}

function writeNumbers(writer: ByteWriter, numbers: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) writer.varint(numbers[i]!);
}

function readNumbers(reader: ByteReader, length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = reader.varint();
  return numbers;
}

function writePayload(writer: ByteWriter, payload: RunPayload): void {
  for (const runs of [payload.added, payload.removed]) {
    writer.varint(runs.length);
    for (const { run, rows, digest } of runs) writer.varint(run).varint(rows).bytes(digest);
  }
}

function readPayload(reader: ByteReader): RunPayload {
  const [added, removed] = [0, 1].map(() =>
    Array.from({ length: reader.varint() }, () => ({
      run: reader.varint(),
      rows: reader.varint(),
      digest: reader.bytes(DIGEST_BYTES),
    })),
  );
  return { added: added!, removed: removed! };
}

/** The revision of a record, as the library shows it. */
export function toRevision(record: RevisionRecord): Revision {
  for (const known of described) if (known.record === record) return known.revision;
  const revision = describe(record);
  described[oldest] = { record, revision };
  oldest = (oldest + 1) % DESCRIBED;
  return revision;
}

const DESCRIBED = 16;
/** The newest descriptions: every request asks for that of the head. Not a weak map, which keeps all of them until the next full collection. */
const described: { readonly record: RevisionRecord; readonly revision: Revision }[] = [];
let oldest = 0;

function describe(record: RevisionRecord): Revision {
  const parent = record.parentId && uuidText(record.parentId);
  const parents = parent === undefined ? [] : [parent];
  if (record.mergedParent !== undefined) parents.push(uuidText(record.mergedParent));
  const revision = {
    id: uuidText(record.id),
    number: record.number,
    parent,
    parents,
    kind: record.kind,
    time: new Date(record.time),
    author: record.author,
    message: record.message,
    added: record.addedCount,
    removed: record.removedCount,
    size: record.size,
  };
  const { origin, erasures, violations } = record;
  if (origin === undefined && erasures === undefined && violations === undefined) return revision;
  return {
    ...revision,
    ...(origin && { origin: uuidText(origin) }),
    ...(violations !== undefined && { violations }),
    ...(erasures !== undefined && { erasures }),
  };
}

/** The published head. */
export interface Head {
  readonly number: number;
  readonly digest: Uint8Array;
}

export const encodeHead = (head: Head): Uint8Array =>
  recordWriter.clear().varint(head.number).bytes(head.digest).finish().slice();

export function decodeHead(bytes: Uint8Array): Head {
  const reader = new ByteReader(bytes);
  return { number: reader.varint(), digest: reader.bytes(DIGEST_BYTES) };
}
