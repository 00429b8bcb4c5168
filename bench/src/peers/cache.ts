/** What peers need is downloaded and compiled once, into a folder outside of the project. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs of the peers in other languages. */
export const PEER_FILES = fileURLToPath(new URL('../../peers/', import.meta.url));
/** Longest time of one command, in milliseconds. Downloads are 20 to 40 MB. */
const COMMAND_MS = 10 * 60_000;

/** `QUADRILLE_BENCH_CACHE`, or a folder of this user in the folder for temporary files. */
export const cacheFolder = (): string =>
  process.env['QUADRILLE_BENCH_CACHE'] ?? join(tmpdir(), `quadrille-bench-peers-${process.getuid?.() ?? 0}`);

/**
 * The path of a folder in the cache. Makes it unless it is there. Its name contains a hash of what it is made from.
 * @param sources files and folders it is made from, and other texts that it depends on, like versions
 * @param make fills the folder
 */
export function cachedFolder(
  name: string,
  sources: { readonly files: readonly string[]; readonly texts: readonly string[] },
  make: (folder: string) => void,
): string {
  const hash = createHash('sha256').update(sources.texts.join('\n'));
  for (const file of sources.files.flatMap(filesIn)) hash.update('\n').update(readFileSync(file));
  const folder = join(cacheFolder(), `${name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  try {
    make(partial);
    // Another process may have made it meanwhile: then its folder stays.
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [path];

/** The first line that a program writes about its version; `undefined` if there is no such program. */
export function versionLine(command: string, ...args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: COMMAND_MS });
  return status === 0 ? `${stdout}${stderr}`.trim().split('\n')[0] : undefined;
}

/** Runs a program. @throws Error with the last lines that it wrote, if it fails */
export function runProgram(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: COMMAND_MS });
  if (status === 0) return;
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '');
  throw new Error(`${command} failed: ${error?.message ?? said.find((line) => line.includes('ERROR')) ?? said.at(-1)}`);
}
