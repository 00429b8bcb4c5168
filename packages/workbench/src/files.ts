/** Runs on the server: the files that build.mjs has written, read at their first use. */
import { brotliDecompressSync } from 'node:zlib';
import { storedJson, storedPage } from './stored-pages.js';

/** A file of the page, in memory. */
export interface PageFile {
  /** The content. */
  readonly bytes: Uint8Array;
  /** The same, compressed by Brotli. */
  readonly brotli: Uint8Array;
  /** With charset. */
  readonly mediaType: string;
  /** In quotes. */
  readonly etag: string;
  /** Whether the path names this content forever. */
  readonly immutable: boolean;
  /** The content security policy. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly files: readonly Entry[];
  /** The content security policy. */
  readonly policy: string;
}

interface Entry {
  readonly path: string;
  readonly file: string;
  readonly type: string;
  readonly immutable: boolean;
  readonly hash: string;
}

/**
 * The files of the page by path: `/` and `/workbench/assets/<name>-<hash>`. They refer to each other by relative addresses, so that they
 * work below any prefix. About 1 MB stays in memory when all have been asked for.
 * @returns a function from a path, percent-encoded, to its file; `undefined` for any other path
 * @throws Error `ENOENT` of Node.js where the package was not built
 * @example
 * const handler = createHandler({ service, pages: files() });
 */
export function files(): (path: string) => PageFile | undefined {
  const manifest = storedJson('manifest.json') as Manifest;
  const entries = new Map(manifest.files.map((entry) => [entry.path, entry]));
  const loaded = new Map<string, PageFile>();
  return (path) => {
    const entry = entries.get(path);
    if (entry === undefined) return undefined;
    let file = loaded.get(path);
    if (file === undefined) loaded.set(path, (file = read(entry, manifest.policy)));
    return file;
  };
}

/** The files are stored compressed alone. */
function read({ file, type, immutable, hash }: Entry, policy: string): PageFile {
  const brotli = storedPage(`${file}.br`);
  return {
    bytes: brotliDecompressSync(brotli),
    brotli,
    mediaType: type,
    etag: `"${hash}"`,
    immutable,
    headers: { 'Content-Security-Policy': policy },
  };
}
