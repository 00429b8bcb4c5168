/** Packages that need not be there: looked for where the command runs, then beside this program. */
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
      // Not there.
    }
  }
  return undefined;
}

export async function installed<Module>(name: string): Promise<Module> {
  const entry = entryOf(name);
  if (entry === undefined) throw new Error(`${name} is not installed: npm install ${name}`);
  const module = (await import(pathToFileURL(entry).href)) as { default?: object };
  // What a module in CommonJS exports is its default export, and by name only what can be told from its text.
  return { ...module.default, ...module } as Module;
}

/** `undefined` where it is not installed. */
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
