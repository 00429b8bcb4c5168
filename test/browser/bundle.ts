/** Bundles for browsers by esbuild, from the built packages and by the conditions of their package.json. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';

/** `node:fs` and `fs` alike; but `events` and its like where a package of that name is installed. */
const refuseBuiltins = (found: Set<string>): Plugin => ({
  name: 'refuse-builtins',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(node:)?[a-z_/]+$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (!isBuiltin(path) || pluginData === 'asked') return undefined;
      const packaged = await resolve(path, { resolveDir, kind, importer, pluginData: 'asked' });
      if (packaged.errors.length === 0) return { path: packaged.path };
      found.add(`${path} in ${importer.replace(/^.*\/(node_modules\/|packages\/)/, '')}`);
      return { path, external: true };
    });
  },
});

export interface Bundle {
  readonly metafile: Metafile;
  /** Built-in modules of Node.js that it asks for, with who does. */
  readonly builtins: readonly string[];
  /** By path below `outdir`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export async function bundlePages(
  entryPoints: readonly string[],
  options: Pick<BuildOptions, 'stdin' | 'minify'> = {},
): Promise<Bundle> {
  const builtins = new Set<string>();
  const outdir = join(import.meta.dirname, 'out');
  const { metafile, outputFiles } = await build({
    entryPoints: [...entryPoints],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir,
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [refuseBuiltins(builtins)],
    ...options,
  } as const);
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(outdir.length + 1), contents]));
  return { metafile, builtins: [...builtins].sort(), files };
}
