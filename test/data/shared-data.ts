/** Where the real data sets are, and what to say where they are not. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
export const DATA_FOLDER = resolve(ROOT, process.env['QUADRILLE_SHARED'] ?? '../shared', 'data');
export const SCHEMAORG_FOLDER = join(DATA_FOLDER, 'schemaorg');

/** Nothing, or why a test is skipped: to be put behind its name. */
export function missing(path: string): string {
  if (existsSync(path)) return '';
  const reason = ` (skipped: ${path} is not there)`;
  console.info(reason.trim());
  return reason;
}

/** Bytes of all files in a directory. */
export async function directoryBytes(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    const { size } = await stat(join(directory, name)).then((found) => (found.isFile() ? found : { size: 0 }));
    bytes += size;
  }
  return bytes;
}
