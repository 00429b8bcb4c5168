/** Native Oxigraph by its package for Python. */
import { join } from 'node:path';
import { cachedFolder, PEER_FILES, runProgram, versionLine } from './cache.js';
import type { PeerCommand } from './peer-process.js';

const PYTHON = 'python3';
const FOLDER = join(PEER_FILES, 'python');
const REQUIREMENTS = join(FOLDER, 'requirements.txt');

/** Installs the package into the cache. @throws Error if Python or pip is missing, or the package cannot be had */
export function preparePyoxigraph(): PeerCommand {
  const python = versionLine(PYTHON, '--version');
  if (python === undefined) throw new Error(`${PYTHON} is not in the PATH`);
  const packages = cachedFolder('pyoxigraph', { files: [REQUIREMENTS], texts: [python] }, (folder) => {
    if (versionLine(PYTHON, '-m', 'pip', '--version') === undefined) throw new Error(`${PYTHON} has no pip`);
    runProgram(PYTHON, ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--target', folder, '-r', REQUIREMENTS]);
  });
  return { command: PYTHON, args: [join(FOLDER, 'pyoxigraph_runner.py')], env: { PYTHONPATH: packages } };
}
