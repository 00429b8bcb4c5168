/** Loads the command and its threads, all in one file, by the code that an earlier run compiled. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CompiledScript, loadScript } from './compiled-script.js';

export interface Command extends Pick<typeof import('../index.js'), 'createProgram' | 'exitCodeOf' | 'run'> {
  parserThread(): Promise<unknown>;
  queryThread(): Promise<unknown>;
}

export const loadCommand = (): CompiledScript<Command> =>
  loadScript<Command>(fileURLToPath(new URL('command.cjs', import.meta.url)), cacheFolder());

/** The folder of this user for compiled code; `undefined` if none is wanted, or this is another runtime. */
function cacheFolder(): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const isNode = process.versions['bun'] === undefined && process.versions['deno'] === undefined;
  if (!isNode || NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  try {
    return join(NODE_COMPILE_CACHE ?? XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(homedir(), '.cache'), 'quadrille');
  } catch {
    // A user without a home.
    return undefined;
  }
}
