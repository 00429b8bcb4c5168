/**
 * Checks the two meta pages of LMDB's file before LMDB opens it. LMDB ends the process if a file is invalid or
 * shorter than expected.
 */

import { open, type FileHandle } from 'node:fs/promises';

const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** Positions in a meta page, in bytes. The second meta page begins at the page size that the first one contains. */
const AT = {
  magic: 24,
  version: 28,
  pageSize: 48,
  freeRoot: 88,
  mainRoot: 136,
  lastPage: 144,
  transaction: 152,
  end: 160,
};
const NO_ROOT = 0xffff_ffff_ffff_ffffn;

interface MetaPage {
  readonly pageSize: number;
  readonly transaction: bigint;
  /** Page numbers of the roots of the two trees. */
  readonly roots: readonly bigint[];
  readonly lastPage: bigint;
}

/** Describes the damage of a file; undefined if there is none. */
export async function findDamage(path: string): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const newest = await readNewest(file);
    if (newest === undefined) return 'is not an LMDB file';
    const { size } = await file.stat();
    // Unused pages at the end of the file may be missing, but the roots must exist.
    const isThere = (root: bigint): boolean =>
      root === NO_ROOT || (root + 1n) * BigInt(newest.pageSize) <= BigInt(size);
    return newest.roots.every(isThere) ? undefined : 'was cut short';
  } finally {
    await file.close();
  }
}

/** Removes the pages of a failed transaction from the end of the file, after the last page that was ever used. */
export async function truncateUnused(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const newest = await readNewest(file);
    if (newest === undefined) return;
    const used = Number(newest.lastPage + 1n) * newest.pageSize;
    if ((await file.stat()).size > used) await file.truncate(used);
  } finally {
    await file.close();
  }
}

async function readNewest(file: FileHandle): Promise<MetaPage | undefined> {
  const read = async (position: number): Promise<MetaPage | undefined> => {
    const bytes = new Uint8Array(AT.end);
    const { bytesRead } = await file.read(bytes, 0, AT.end, position);
    return bytesRead === AT.end ? decodeMeta(bytes) : undefined;
  };
  const first = await read(0);
  const second = first && (await read(first.pageSize));
  if (first === undefined || second === undefined) return undefined;
  return first.transaction > second.transaction ? first : second;
}

/** LMDB uses the byte order of the machine. */
function decodeMeta(bytes: Uint8Array): MetaPage | undefined {
  const words = new Uint32Array(bytes.buffer);
  const longs = new BigUint64Array(bytes.buffer);
  const pageSize = words[AT.pageSize / 4]!;
  if (words[AT.magic / 4] !== MAGIC || words[AT.version / 4] !== VERSION || pageSize < AT.end) return undefined;
  const roots = [longs[AT.freeRoot / 8]!, longs[AT.mainRoot / 8]!];
  return { pageSize, transaction: longs[AT.transaction / 8]!, roots, lastPage: longs[AT.lastPage / 8]! };
}
