/** Measures `npm install quadrille` in an empty folder, with the packages as they would be published. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bytesOnDisk } from '../../measure.js';
import { spreadOf } from '../../report/statistics.js';
import type { Context, Figures, Workload } from '../../workload.js';
import { figure } from '../../workload.js';

const run = promisify(execFile);
const ASSEMBLE = fileURLToPath(new URL('../../../../release/assemble.mjs', import.meta.url));
const PROCESSES = 5;
const IMPORT = `const begin = performance.now(); await import('quadrille'); console.log(performance.now() - begin);`;

async function importMs(folder: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', IMPORT], { cwd: folder });
  return Number(stdout);
}

async function install({ scratch }: Context): Promise<Figures> {
  const packed = join(scratch, 'packed');
  const folder = join(scratch, 'user');
  await mkdir(folder);
  await run(process.execPath, [ASSEMBLE, packed]);
  await run('npm', ['pack', '--silent', join(packed, 'quadrille')], { cwd: folder });
  const [archive] = (await readdir(folder)).map((name) => join(folder, name));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', archive!], { cwd: folder });
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  const times: number[] = [];
  for (let n = 0; n < PROCESSES; n++) times.push(await importMs(folder));
  return {
    // Excludes the entry of the folder itself.
    packages: figure(Object.keys(lock.packages).length - 1, 'packages'),
    size: figure((await bytesOnDisk(join(folder, 'node_modules'))) / 1e6, 'MB'),
    import: figure(spreadOf(times).median, 'ms'),
  };
}

export const workload: Workload = {
  name: 'install',
  parts: { quadrille: { backend: 'quadrille', needs: [], once: true, measure: install } },
};
