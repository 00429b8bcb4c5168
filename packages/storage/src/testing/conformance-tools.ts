/** Helper functions of the conformance rules. */

import { toHex } from '../bytes.js';
import type { Bytes, KeyRange, RangeOptions, WriteOp } from '../contract.js';
import type { StorageEngine } from '../engine.js';
import type { ReadOptions } from '../snapshot.js';

export function bytes(...values: number[]): Bytes {
  return Uint8Array.from(values);
}

/** The bytes of an ASCII text. */
export function text(value: string): Bytes {
  return Uint8Array.from(value, (character) => character.charCodeAt(0));
}

export function put(key: Bytes | string, value: Bytes | string): WriteOp {
  return { type: 'put', key: toBytes(key), value: toBytes(value) };
}

export function del(key: Bytes | string): WriteOp {
  return { type: 'delete', key: toBytes(key) };
}

export function deleteRange(gte: string, lt: string): WriteOp {
  return { type: 'deleteRange', gte: text(gte), lt: text(lt) };
}

/** A key of four bytes; keys have the order of their numbers. */
export function numberKey(value: number): Bytes {
  return bytes(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}

export async function write(engine: StorageEngine, ...ops: WriteOp[]): Promise<void> {
  const outcome = await engine.write(ops, { durable: false });
  if (outcome !== 'ok') throw new Error(`write answered ${outcome}`);
}

/** `key=value` for every entry. Bytes that are not printable ASCII are shown in hexadecimal. */
export async function list(
  engine: StorageEngine,
  range: KeyRange = {},
  options: RangeOptions & ReadOptions = {},
): Promise<string[]> {
  const entries: string[] = [];
  for await (const chunk of engine.range(range, options)) {
    for (const { key, value } of chunk) entries.push(`${show(key)}=${show(value)}`);
  }
  return entries;
}

export function show(value: Bytes | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value.every((byte) => byte > 32 && byte < 127) ? String.fromCharCode(...value) : toHex(value);
}

/** The code of the error that the call throws or rejects with; `none` if it succeeds. */
export async function errorCode(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'none';
  } catch (error) {
    const { code } = error as { code?: unknown };
    return typeof code === 'string' ? code : String(error);
  }
}

function toBytes(value: Bytes | string): Bytes {
  return typeof value === 'string' ? text(value) : value;
}
