/** Reads what build.mjs has written. A program in a single file has this module replaced by one that contains the files. */
import { readFileSync } from 'node:fs';

/**
 * The content of a file of `dist/pages`.
 * @throws Error `ENOENT` of Node.js where the package was not built
 */
export const storedPage = (name: string): Uint8Array => readFileSync(new URL(`../dist/pages/${name}`, import.meta.url));

/** A file of JSON. */
export const storedJson = (name: string): unknown => JSON.parse(new TextDecoder().decode(storedPage(name)));
