// Hooks of Node's loader: packages are their sources, and TypeScript becomes JavaScript.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

const BUILT = /\/packages\/([^/]+)\/dist\/(.+)\.js$/;

/** The source of an entry of a package: a file or a folder of `src`, or a file in one of its folders, as `tsup.config.ts` has it. */
function sourceOfEntry(folder, entry) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  const names = [entry, entry.replace('-', '/'), ...folders.map(({ name }) => `${name}/${entry}`)];
  const places = names.flatMap((name) => [join(folder, `${name}.ts`), join(folder, name, 'index.ts')]);
  return places.find((place) => existsSync(place));
}

const entries = new Map();

/** The source of a file that is built, or that is named as if it were. */
function sourceOf(url) {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return url;
  const built = BUILT.exec(url);
  // Threads have no hooks, so what begins them stays built.
  if (built !== null && !/worker|thread/.test(built[2])) {
    if (!entries.has(url)) {
      const path = sourceOfEntry(fileURLToPath(url.replace(BUILT, '/packages/$1/src')), built[2]);
      // A copy beside the sources would be another one; only what has no source is taken as it is.
      entries.set(url, path === undefined ? url : pathToFileURL(path).href);
    }
    return entries.get(url);
  }
  const source = url.replace(/\.js$/, '.ts');
  return source !== url && existsSync(fileURLToPath(source)) ? source : url;
}

export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && context.parentURL !== undefined) {
    const url = new URL(specifier, context.parentURL).href;
    const source = sourceOf(url);
    if (source !== url || url.endsWith('.ts')) return { url: source, format: 'module', shortCircuit: true };
  }
  const resolved = await next(specifier, context);
  const source = sourceOf(resolved.url);
  return source === resolved.url ? resolved : { ...resolved, url: source, format: 'module' };
}

const IMPORT = /\bimport\((["'])([^"'$]+)\1\)/g;

/** Every `import()` asks the thread of these hooks, which takes longer than all else that a short run does: each place asks once. */
function withImportsOnce(code) {
  const cached = code.replace(IMPORT, '(__imports[$1$2$1] ??= import($1$2$1))');
  return cached === code ? code : `const __imports = {}; ${cached}`;
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile: url,
  });
  return { format: 'module', source: withImportsOnce(code), shortCircuit: true };
}
