/**
 * The plan of an erasure under way. The write that stores it also makes the erasure true. What is left to do then follows from the
 * plan alone, so a process that ends meanwhile goes on when the repository is read again.
 */
import type { PayloadRun } from '../index/run/run.js';
import { CorruptionError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { afterPrefix, PART_BYTES, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { IntegrityPart } from '../revision/record-fields.js';
import type { Selection } from './selection.js';

/** First numbers of the keys. */
const PLAN = 0;
const PROGRESS = 1;
const INTEGRITY = 2;

/** A run that an erasure replaces. `by` is missing if nothing is left of it. */
export interface ReplacedRun {
  readonly run: number;
  readonly by?: PayloadRun | undefined;
}

/** What is written anew of a line. */
export interface LinePlan {
  readonly line: number;
  /** Revisions whose records may change, both included. */
  readonly first: number;
  readonly last: number;
  /** Number of erased quads that are there before `first`. */
  readonly alive: number;
  readonly runs: readonly ReplacedRun[];
}

export interface ErasePlan {
  readonly selection: Selection;
  readonly lines: readonly LinePlan[];
}

/** Where the rewriting of records stands: the next revision of a line of the plan, and the erased quads before it. */
export interface EraseProgress {
  readonly place: number;
  readonly number: number;
  readonly alive: number;
}

const utf8 = new TextDecoder();
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** The writes that store a plan. */
export function planOps(keyspace: Keyspace, plan: ErasePlan): WriteOp[] {
  const text = JSON.stringify({ version: 1, ...plan }, (key, value: unknown) =>
    key === 'digest' ? hexOf(value as Uint8Array) : value,
  );
  return keyspace.putParts(new TextEncoder().encode(text), (part) => keyspace.key(Tag.erasure, PLAN, part));
}

/** @throws CorruptionError `INDEX_DISAGREES` if the plan cannot be read */
export async function readPlan(keyspace: Keyspace): Promise<ErasePlan | undefined> {
  const parts: Uint8Array[] = [];
  for (let part = 0; part === 0 || parts.at(-1)!.length === PART_BYTES; part++) {
    const value = await keyspace.get(Tag.erasure, PLAN, part);
    if (value === undefined) break;
    parts.push(value);
  }
  if (parts.length === 0) return undefined;
  const text = parts.map((part, i) => utf8.decode(part, { stream: i < parts.length - 1 })).join('');
  try {
    return JSON.parse(text, (key, value: unknown) =>
      key === 'digest' && typeof value === 'string' ? bytesOf(value) : value,
    ) as ErasePlan;
  } catch (cause) {
    const message = `repository ${keyspace.name}: the plan of an erasure cannot be read`;
    throw new CorruptionError('INDEX_DISAGREES', message, { cause });
  }
}

export function progressOp(keyspace: Keyspace, { place, number, alive }: EraseProgress): WriteOp {
  const value = new ByteWriter(16).u8(1).varint(place).varint(number).varint(alive).finish().slice();
  return { type: 'put', key: keyspace.key(Tag.erasure, PROGRESS), value };
}

export async function readProgress(keyspace: Keyspace): Promise<EraseProgress | undefined> {
  const value = await keyspace.get(Tag.erasure, PROGRESS);
  if (value === undefined) return undefined;
  const reader = new ByteReader(value);
  reader.u8();
  return { place: reader.varint(), number: reader.varint(), alive: reader.varint() };
}

/** The write that keeps what a revision is attested by, until its record has it. */
export function integrityOp(keyspace: Keyspace, line: number, number: number, part: IntegrityPart): WriteOp {
  const writer = new ByteWriter(96).varint(part.addedCount).varint(part.removedCount).varint(part.size);
  const value = writer.bytes(part.content).bytes(part.chain).finish().slice();
  return { type: 'put', key: keyspace.key(Tag.erasure, INTEGRITY, line, number), value };
}

const HASH_BYTES = 32;

export async function readIntegrity(
  keyspace: Keyspace,
  line: number,
  number: number,
): Promise<IntegrityPart | undefined> {
  const value = await keyspace.get(Tag.erasure, INTEGRITY, line, number);
  if (value === undefined) return undefined;
  const reader = new ByteReader(value);
  const counts = { addedCount: reader.varint(), removedCount: reader.varint(), size: reader.varint() };
  return { ...counts, content: reader.bytes(HASH_BYTES).slice(), chain: reader.bytes(HASH_BYTES).slice() };
}

/** The write that removes a plan and everything that belongs to it. */
export function withoutPlanOp(keyspace: Keyspace): WriteOp {
  const gte = keyspace.key(Tag.erasure, PLAN);
  return { type: 'deleteRange', gte, lt: afterPrefix(keyspace.key(Tag.erasure, INTEGRITY)) };
}
