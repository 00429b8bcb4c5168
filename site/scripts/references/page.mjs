/** Pages of the reference, which are generated from the built packages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const SITE = resolve(import.meta.dirname, '../..');
export const ROOT = resolve(SITE, '..');
export const REFERENCE = join(SITE, 'src/content/docs/reference');
/** The path of the site, with a slash at its end. */
export const BASE = `${(process.env.SITE_BASE ?? '/').replace(/\/$/, '')}/`;
export const built = (path) => import(pathToFileURL(join(ROOT, 'packages', path)).href);

export function write(path, title, body) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body.trim()}\n`);
}
/** Code in a cell of a table. */
export const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``;
/** Text in a cell of a table. */
export const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/\s+/g, ' ');
