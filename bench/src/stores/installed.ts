/** Optional packages. They are looked up where the command runs, then next to this program. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FROM = [pathToFileURL(join(process.cwd(), 'any.js')).href, import.meta.url];

function entryOf(name: string): string | undefined {
  for (const from of FROM) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // Not found from there.
    }
  }
  return undefined;
}

export async function installed<Module>(name: string): Promise<Module> {
  const entry = entryOf(name);
  if (entry === undefined) throw new Error(`${name} is not installed: npm install ${name}`);
  const module = (await import(pathToFileURL(entry).href)) as { default?: object };
  // The exports of a CommonJS module are in its default export. Only some of them can be detected by name.
  return { ...module.default, ...module } as Module;
}

/** The version of a package; `undefined` if it is not installed. */
export function versionOf(name: string): string | undefined {
  const entry = entryOf(name);
  if (entry === undefined) return undefined;
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (manifest.name === name) return manifest.version;
  }
  return undefined;
}
