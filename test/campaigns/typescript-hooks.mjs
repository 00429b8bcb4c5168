// Hooks of Node's loader: packages are their sources, and TypeScript becomes JavaScript.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const BUILT = /\/packages\/([^/]+)\/dist\/(.+)\.js$/;

/** The source of a file that is built, or that is named as if it were. */
function sourceOf(url) {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return url;
  const source = url.replace(BUILT, '/packages/$1/src/$2.js').replace(/\.js$/, '.ts');
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

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile: url,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
