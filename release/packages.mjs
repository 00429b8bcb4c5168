/** The packages that are published, and where their tarballs go. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');
export const DIST = join(import.meta.dirname, 'dist');

/**
 * Each published package: its folder here, the folders of its parts, and those parts whose code is in its bundle, so that it needs
 * nothing but their types.
 * @type {Readonly<Record<string, { folder: string, parts: readonly string[], bundled?: boolean }>>}
 */
export const PUBLISHED = {
  quadrille: {
    folder: 'packages/quadrille',
    parts: [
      'cli',
      'client',
      'core',
      'fetch',
      'formats',
      'formats-extra',
      'model',
      'server',
      'shacl',
      'sparql',
      'storage',
      'storage-browser',
      'storage-directory',
      'storage-level',
      'storage-published',
      'storage-shared',
      'workbench',
    ],
  },
  '@quadrille/client': { folder: 'packages/client', parts: ['formats', 'model'], bundled: true },
  '@quadrille/lmdb': { folder: 'packages/lmdb', parts: [] },
  '@quadrille/postgres': { folder: 'packages/postgres', parts: [] },
  '@quadrille/s3': { folder: 'packages/s3', parts: [] },
  '@quadrille/bench': { folder: 'bench', parts: [] },
};

/** Entries of parts that the bundle of the command has, and that nothing else imports. */
export const OF_COMMAND = new Set(['server/mcp-lines', 'server/mcp-start']);

/** Entries of parts that the library loads by their files, without types: programs give an option of `open`. */
export const OF_LIBRARY = new Set(['server/share']);

/** Whether programs may import a part. The command is a program, and `quadrille/shacl` is the library's own entry. */
export const isEntry = (part) => part !== 'cli' && part !== 'shacl';

/** @returns {{ folder: string, manifest: Record<string, any> }[]} folders from the root */
export const published = (root = ROOT) =>
  Object.values(PUBLISHED).map(({ folder }) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }));
