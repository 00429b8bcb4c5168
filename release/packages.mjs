/** The packages that are published, and where their tarballs go. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');
export const DIST = join(import.meta.dirname, 'dist');
export const PNPM = ['--yes', 'pnpm@10.34.9'];

/** @returns {{ folder: string, manifest: Record<string, any> }[]} folders from the root, sorted by name */
export const published = (root = ROOT) =>
  [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'bench']
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .sort((a, b) => a.manifest.name.localeCompare(b.manifest.name));
