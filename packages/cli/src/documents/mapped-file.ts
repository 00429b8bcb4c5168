/** Tables on their way to a store: the text of a mapping, and the statements of a table as a file. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ParseError } from '@quadrille/model';
import type { MapTableOptions } from 'quadrille';

/** Less than a third of the work of the default, for a file that lives for minutes. */
const LEVEL = 1;

/** The statements of a table as a compressed file of N-Triples. */
export interface MappedFile {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Writes what a mapping makes of a table. An upload that is broken off reads its source again, which must then say the same: a mapping with
 * UUID() does not.
 */
export async function writeMapped(file: string, options: MapTableOptions): Promise<MappedFile> {
  const { mapTable } = await import('quadrille');
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-table-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const path = join(directory, 'table.nt.gz');
  try {
    await pipeline(
      mapTable(file === '-' ? process.stdin : file, options),
      createGzip({ level: LEVEL }),
      createWriteStream(path),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/** The error of a mapping says in which file it is. */
export function inMapping(error: unknown, file: string | undefined): unknown {
  if (file === undefined || !(error instanceof ParseError) || error.code !== 'SPARQL_SYNTAX') return error;
  const { line, column, offset, reason } = error;
  return new ParseError('SPARQL_SYNTAX', reason, { source: file, line, column, offset }, { cause: error });
}
