/** Tests run the sources of every package, and nothing that was built. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  readonly imports?: Readonly<Record<string, { readonly types?: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const ROOT = resolve(import.meta.dirname, '..');
const folders = [...readdirSync(resolve(ROOT, 'packages')).map((name) => join('packages', name)), 'bench']
  .map((folder) => resolve(ROOT, folder))
  .filter((folder) => existsSync(resolve(folder, 'package.json')));
const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as Manifest;

/** Entries of all packages, and what `imports` of packages pick, with their sources: `dist/x.d.ts` is made from `src/x.ts`. */
export const entries = folders.flatMap((folder) => {
  const { name, exports, imports } = manifest(folder);
  return Object.entries({ ...exports, ...imports }).flatMap(([entry, { types = '' }]) => {
    const source = resolve(folder, types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts'));
    if (!source.endsWith('.ts') || !existsSync(source)) return [];
    return [{ entry: entry.startsWith('#') ? entry : join(name, entry), source }];
  });
});

/** Whether an entry starts threads: then the plugin below finds its source. */
export const startsThreads = (entry: string): boolean => entry.endsWith('/worker');

const THREAD = "new URL('thread.js', import.meta.url)";

/** Bundles what a thread starts with, and returns its address. */
async function bundled(source: string, folder: string): Promise<string> {
  const outfile = resolve(folder, 'node_modules/.cache/thread.mjs');
  const { outputFiles } = await build({
    entryPoints: [source],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    external: Object.keys(manifest(folder).dependencies ?? {}).filter((name) => !name.startsWith('@quadrille/')),
    alias: Object.fromEntries(entries.map(({ entry, source: file }) => [entry, file])),
  });
  await mkdir(dirname(outfile), { recursive: true });
  // Another run of tests may be starting a thread: it finds the old file or the new one, and no part of one.
  const part = `${outfile}.${String(process.pid)}`;
  await writeFile(part, outputFiles[0]!.contents);
  await rename(part, outfile);
  return pathToFileURL(outfile).href;
}

const made = new Map<string, Promise<string>>();

/**
 * A thread cannot run TypeScript. This plugin of Vite bundles the file that a thread starts with, when a module that names such a file is
 * loaded. The bundle lies in `node_modules/.cache` of the package, where it finds the libraries of the package. Without the plugin, threads are those
 * that were built.
 */
export const threads = () => ({
  name: 'threads',
  enforce: 'pre' as const,
  resolveId: (id: string) => entries.find(({ entry }) => entry === id && startsThreads(id))?.source,
  async transform(code: string, id: string) {
    if (!code.includes(THREAD) || !id.endsWith('.ts')) return undefined;
    const source = resolve(dirname(id), 'thread.ts');
    const folder = folders.find((each) => id.startsWith(`${each}/`))!;
    if (!made.has(source)) made.set(source, bundled(source, folder));
    const address = JSON.stringify(await made.get(source));
    return { code: code.replaceAll(THREAD, `new URL(${address})`), map: null };
  },
});
