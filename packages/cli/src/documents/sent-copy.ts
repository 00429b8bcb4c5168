/** Documents on their way to a server: the statements of tables, and what servers do not unpack, as files that can be sent again. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PACKING_BYTES, packingOf } from '@quadrille/formats';
import type { MapTableOptions } from 'quadrille';

/** Less than a third of the work of the default, for a file that lives for minutes. */
const LEVEL = 1;

/** A file that is made for an upload. An upload that is broken off reads its source again, which must then say the same. */
export interface SentCopy {
  readonly path: string;
  remove(): Promise<void>;
}

async function copyOf(chunks: AsyncIterable<string | Uint8Array>): Promise<SentCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-load-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const path = join(directory, 'document.gz');
  try {
    await pipeline(chunks, createGzip({ level: LEVEL }), createWriteStream(path));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/** What a mapping makes of a table, as N-Triples. */
export async function mappedCopy(file: string, options: MapTableOptions): Promise<SentCopy> {
  const { mapTable } = await import('quadrille');
  return copyOf(mapTable(file === '-' ? process.stdin : file, options));
}

/** A file with the compression that servers unpack; `undefined` for one that can be sent as it is. */
export async function unpackedCopy(file: string): Promise<SentCopy | undefined> {
  const [start] = await createReadStream(file, { end: PACKING_BYTES - 1 }).toArray();
  const packing = packingOf(start === undefined ? new Uint8Array(0) : (start as Uint8Array));
  if (packing === undefined || packing === 'gzip') return undefined;
  const { unpackBzip2, unpackZstd } = await import('@quadrille/formats/packing');
  const unpack = packing === 'bzip2' ? unpackBzip2 : unpackZstd;
  return copyOf(unpack(createReadStream(file), { source: file }));
}
