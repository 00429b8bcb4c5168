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

/** Each is stored compressed, as `<file>.br`. */
type Files = readonly { readonly path: string; readonly file: string }[];

interface Manifest {
  readonly playground: Files;
  readonly site: Files;
}

/**
 * All files of the playground, about 3 MB. They refer to each other by relative addresses: they work in any folder of a host, below https or on
 * localhost. Takes about 30 ms.
 * @throws Error `ENOENT` of Node.js where the package was not built
 * @example
 * for (const { path, bytes } of playgroundFiles()) await writeFile(join(folder, path), bytes);
 */
export const playgroundFiles = (): readonly PlaygroundFile[] => filesOf('playground');

/**
 * All files of the page of a published store: `index.html`, `sw.js`, and a folder `page`. It reads the store in its own folder, and changes
 * nothing.
 * @throws Error `ENOENT` of Node.js where the package was not built
 * @example
 * for (const { path, bytes } of siteFiles()) await writeFile(join(folder, path), bytes);
 */
export const siteFiles = (): readonly PlaygroundFile[] => filesOf('site');

function filesOf(name: keyof Manifest): readonly PlaygroundFile[] {
  const manifest = storedJson('manifest.json') as Manifest;
  return manifest[name].map(({ path, file }) => ({ path, bytes: brotliDecompressSync(storedPage(`${file}.br`)) }));
}
