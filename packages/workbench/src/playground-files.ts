/** The files of the playground: the page without a server, for any host of static files. */
import { brotliDecompressSync } from 'node:zlib';
import { storedJson, storedPage } from './stored-pages.js';

/** A file of the playground. */
export interface PlaygroundFile {
  /** Relative, with slashes. */
  readonly path: string;
  /** The content. */
  readonly bytes: Uint8Array;
}

interface Manifest {
  /** Each is stored compressed, as `<file>.br`. */
  readonly playground: readonly { readonly path: string; readonly file: string }[];
}

/**
 * All files of the playground, about 3 MB. They refer to each other by relative addresses: they work in any folder of a host, below https or on
 * localhost. Takes about 30 ms.
 * @throws Error `ENOENT` of Node.js where the package was not built
 * @example
 * for (const { path, bytes } of playgroundFiles()) await writeFile(join(folder, path), bytes);
 */
export function playgroundFiles(): readonly PlaygroundFile[] {
  const manifest = storedJson('manifest.json') as Manifest;
  return manifest.playground.map(({ path, file }) => ({ path, bytes: brotliDecompressSync(storedPage(`${file}.br`)) }));
}
