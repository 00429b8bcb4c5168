/** The log's record of one revision, and its stored form. */
import { CorruptionError } from '@quadrille/model';
import { stringify as uuidText } from 'uuid';
import { ByteReader, ByteWriter, equalBytes, varintBytes } from '../format/byte-codec.js';
import { PART_BYTES } from '../format/layout.js';
import { Digest, DIGEST_BYTES } from './digest.js';

/** One commit, as the library shows it. */
export interface Revision {
  /** UUID v7. */
  readonly id: string;
  /** Grows by one a commit; 1 is the empty repository. */
  readonly number: number;
  readonly parent: string | undefined;
  readonly time: Date;
  readonly author: string | undefined;
  readonly message: string | undefined;
  readonly added: number;
  readonly removed: number;
  /** Quads in the repository after it. */
  readonly size: number;
}

/** Quads as columns of ids. */
export interface IdQuads {
  readonly length: number;
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
}

/** Quads that ended, each with the revision in which its interval began. */
export interface EndedQuads extends IdQuads {
  readonly from: Uint32Array;
}

/** A run of the SPOG order that the log keeps. */
export interface PayloadRun {
  readonly run: number;
  readonly rows: number;
  /** Of the run's blocks. */
  readonly digest: Uint8Array;
}

/** A large delta, which stands in runs instead of the record. */
export interface RunPayload {
  readonly added: readonly PayloadRun[];
  /** Runs of tombstones. */
  readonly removed: readonly PayloadRun[];
}

export interface RevisionRecord {
  readonly number: number;
  /** 16 bytes. */
  readonly id: Uint8Array;
  readonly parentId: Uint8Array | undefined;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly author: string | undefined;
  readonly message: string | undefined;
  readonly addedCount: number;
  readonly removedCount: number;
  readonly size: number;
  /** The id that the dictionary gives next: the revision uses none from here on. */
  readonly termMark: number;
  /** What the record holds itself: all of a small delta; of a large one what changed while it was prepared. */
  readonly added: IdQuads;
  readonly removed: EndedQuads;
  readonly payload: RunPayload | undefined;
  readonly parentDigest: Uint8Array;
  readonly digest: Uint8Array;
}

const utf8 = new TextEncoder();
const VERSION = 1;
const NO_IDS = new Uint32Array(0);
const NO_QUADS: EndedQuads = { length: 0, s: NO_IDS, p: NO_IDS, o: NO_IDS, g: NO_IDS, from: NO_IDS };

/** What a record says of its revision but for the quads: of as few bytes as can be, to be kept for long. */
export function withoutDelta(record: RevisionRecord): RevisionRecord {
  const { number, time, author, message, addedCount, removedCount, size, termMark } = record;
  return {
    number,
    time,
    author,
    message,
    addedCount,
    removedCount,
    size,
    termMark,
    // They may be parts of what was read.
    id: record.id.slice(),
    parentId: record.parentId?.slice(),
    parentDigest: record.parentDigest.slice(),
    digest: record.digest.slice(),
    added: NO_QUADS,
    removed: NO_QUADS,
    payload: undefined,
  };
}

// One for all: an array that leaves the heap of JavaScript costs as much as the rest of a small record.
const recordWriter = new ByteWriter(4096);

/** The stored form of a record whose digest is still to be made; answers both. */
export function encodeRecord(record: Omit<RevisionRecord, 'digest'>): { bytes: Uint8Array; digest: Uint8Array } {
  const writer = recordWriter.clear();
  writer.u8(VERSION).varint(record.number).bytes(record.id);
  if (record.parentId === undefined) writer.u8(0);
  else writer.u8(1).bytes(record.parentId);
  writer.f64(record.time).optionalText(record.author).optionalText(record.message);
  writer.varint(record.addedCount).varint(record.removedCount).varint(record.size).varint(record.termMark);
  writeQuads(writer, record.added);
  writeQuads(writer, record.removed);
  for (let i = 0; i < record.removed.length; i++) writer.varint(record.removed.from[i]!);
  if (record.payload === undefined) writer.u8(0);
  else writePayload(writer.u8(1), record.payload);
  writer.bytes(record.parentDigest);
  const digest = new Digest().update(writer.finish()).finish();
  return { bytes: writer.bytes(digest).finish().slice(), digest };
}

/** @throws CorruptionError `LOG_BROKEN` where the digest does not fit. */
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
  if (reader.u8() !== VERSION) throw new CorruptionError('LOG_BROKEN', 'a revision record is of an unknown form');
  const number = reader.varint();
  const id = reader.bytes(16);
  const parentId = reader.u8() === 1 ? reader.bytes(16) : undefined;
  const head = { time: reader.f64(), author: reader.optionalText(), message: reader.optionalText() };
  const counts = {
    addedCount: reader.varint(),
    removedCount: reader.varint(),
    size: reader.varint(),
    termMark: reader.varint(),
  };
  const added = readQuads(reader);
  const quads = readQuads(reader);
  const from = new Uint32Array(quads.length);
  for (let i = 0; i < from.length; i++) from[i] = reader.varint();
  const payload = reader.u8() === 1 ? readPayload(reader) : undefined;
  const parentDigest = reader.bytes(DIGEST_BYTES);
  const body = bytes.subarray(0, reader.position);
  const digest = reader.bytes(DIGEST_BYTES);
  if (!equalBytes(new Digest().update(body).finish(), digest)) {
    throw new CorruptionError('LOG_BROKEN', `the digest of revision ${number} does not fit its record`);
  }
  return {
    number,
    id,
    parentId,
    ...head,
    ...counts,
    added,
    removed: { ...quads, from },
    payload,
    parentDigest,
    digest,
  };
}

/** Longest record. */
const MAX_RECORD_BYTES = PART_BYTES;
/** Bytes of a record without its delta, texts and runs, and of the name of a run, at most. */
const HEAD_BYTES = 256;
const PAYLOAD_RUN_BYTES = 2 * 8 + DIGEST_BYTES;
/** Bytes of a row's four or five numbers, at least and at most. */
const LEAST_ROW_BYTES = 4;
const MOST_ROW_BYTES = 25;

/** Quads of which a record can hold all at most, where their delta may have so many bytes. */
export const mostRowsIn = (bytes: number): number => Math.floor(bytes / LEAST_ROW_BYTES);

/** Whether a delta, as it is sorted, has at most so many bytes in a record. */
export function fitsInRecord(added: IdQuads, removed: EndedQuads, bytes: number): boolean {
  const rows = added.length + removed.length;
  if (rows * MOST_ROW_BYTES <= bytes) return true;
  return rows <= mostRowsIn(bytes) && quadsBytes(added) + quadsBytes(removed) + fromBytes(removed) <= bytes;
}

/**
 * Bytes that the delta of a large change may have in its record, beside the names of its runs and what is said of it;
 * `most` is what any delta may have.
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

// Deltas to the quad before, zigzag: sorted quads cost a byte or two an id.
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

export function toRevision(record: RevisionRecord): Revision {
  let revision = revisions.get(record);
  if (revision === undefined) revisions.set(record, (revision = describe(record)));
  return revision;
}

/** Those of records that are at hand: every request asks for the one of the head. */
const revisions = new WeakMap<RevisionRecord, Revision>();

function describe(record: RevisionRecord): Revision {
  return {
    id: uuidText(record.id),
    number: record.number,
    parent: record.parentId && uuidText(record.parentId),
    time: new Date(record.time),
    author: record.author,
    message: record.message,
    added: record.addedCount,
    removed: record.removedCount,
    size: record.size,
  };
}

/** The stored form of the published head. */
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
