/**
 * Loads a file by the code that V8 compiled for it in an earlier run. Compiling takes more than half of the time of a short command. The compile
 * cache of Node.js needs version 22.8, and reads a file for each module. The file is one function with the arguments of CommonJS, and `__import`
 * in the place of `import`.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
// Not by name: other runtimes may have less of them.
import vm from 'node:vm';
import { getHeapCodeStatistics } from 'node:v8';
import zlib from 'node:zlib';

export interface CompiledScript<Exports> {
  /** What the file exports. */
  readonly exports: Exports;
  /** Whether no function has to be compiled that ran before. */
  readonly isCompiled: boolean;
  /** Writes the code of all functions that have run, for later runs, unless most of it came from there. Failures do not matter. */
  keep(): void;
}

/** In front of the data: its checksum, and the bytes of compiled code in the process that wrote it. */
const HEADER_BYTES = 8;
/** By how much that code has grown when it is written again: another command has run. */
const GROWTH = 1.03;
const SUFFIX = '.compiled';
/** Files that a folder keeps: of other versions of this program and of Node.js. */
const MOST_FILES = 4;

/** @param folder where compiled code is kept; `undefined` keeps nothing */
export function loadScript<Exports>(file: string, folder: string | undefined): CompiledScript<Exports> {
  const cache = folder === undefined ? undefined : join(folder, keyOf(file));
  const kept = cache === undefined ? undefined : readChecked(cache);
  // The build leaves only ASCII characters, which V8 need not decode.
  const script = new vm.Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(kept === undefined ? {} : { cachedData: kept.data }),
  });
  const isCompiled = kept !== undefined && script.cachedDataRejected === false;
  const module = { exports: {} };
  const run = script.runInThisContext() as Wrapper;
  // Node.js 20 forgets how compiled code imports modules.
  run(module.exports, createRequire(file), module, file, dirname(file), (name) => import(name));
  return {
    exports: module.exports as Exports,
    isCompiled,
    keep: () => {
      if (cache === undefined || (isCompiled && codeBytes() < kept.codeBytes * GROWTH)) return;
      writeChecked(cache, { data: script.createCachedData(), codeBytes: codeBytes() });
    },
  };
}

type Wrapper = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
  load: (name: string) => Promise<unknown>,
) => void;

/** The name of the file for its compiled code. */
function keyOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const key = zlib.crc32([file, size, mtimeMs, process.version, process.arch].join('\n'));
  return `${key.toString(16)}${SUFFIX}`;
}

interface Kept {
  readonly data: Buffer;
  readonly codeBytes: number;
}

const codeBytes = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

/** The data, unless it is of another user, or a part is missing or changed: V8 trusts it, and ends the process over damaged data. */
function readChecked(path: string): Kept | undefined {
  try {
    const owner = process.getuid?.();
    if (owner !== undefined && statSync(path).uid !== owner) return undefined;
    const bytes = readFileSync(path);
    const data = bytes.subarray(HEADER_BYTES);
    return bytes.readUInt32LE(0) === zlib.crc32(data) ? { data, codeBytes: bytes.readUInt32LE(4) } : undefined;
  } catch {
    return undefined;
  }
}

function writeChecked(path: string, kept: Kept): void {
  const folder = dirname(path);
  const partial = join(folder, `${process.pid}-${basename(path)}`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(zlib.crc32(kept.data), 0);
  header.writeUInt32LE(kept.codeBytes, 4);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(partial, Buffer.concat([header, kept.data]), { mode: 0o600 });
    renameSync(partial, path);
    for (const old of oldestIn(folder)) rmSync(old, { force: true });
  } catch {
    // The next run compiles again.
  }
}

function oldestIn(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  return files
    .map((name) => join(folder, name))
    .map((path) => ({ path, mtime: statSync(path).mtimeMs }))
    .sort((one, other) => other.mtime - one.mtime)
    .slice(MOST_FILES)
    .map(({ path }) => path);
}
