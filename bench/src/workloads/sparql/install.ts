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
const PACKAGES = fileURLToPath(new URL('../../../../packages', import.meta.url));
const PNPM = ['--yes', 'pnpm@10.34.9'];
const PROCESSES = 5;
const IMPORT = `const begin = performance.now(); await import('quadrille'); console.log(performance.now() - begin);`;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Folders of packages by name. */
async function workspace(): Promise<Map<string, { folder: string; manifest: Manifest }>> {
  const found = new Map<string, { folder: string; manifest: Manifest }>();
  for (const name of await readdir(PACKAGES)) {
    const folder = join(PACKAGES, name);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const manifest = JSON.parse(text) as Manifest;
    found.set(manifest.name, { folder, manifest });
  }
  return found;
}

/** The folders of `quadrille` and of all packages of this repository that it needs. */
async function needed(): Promise<string[]> {
  const all = await workspace();
  const names = ['quadrille'];
  for (const name of names) {
    const own = Object.keys(all.get(name)!.manifest.dependencies ?? {}).filter((other) => all.has(other));
    names.push(...own.filter((other) => !names.includes(other)));
  }
  return names.map((name) => all.get(name)!.folder);
}

async function importMs(folder: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', IMPORT], { cwd: folder });
  return Number(stdout);
}

async function install({ scratch }: Context): Promise<Figures> {
  const packed = join(scratch, 'packed');
  const folder = join(scratch, 'user');
  await mkdir(packed);
  await mkdir(folder);
  for (const cwd of await needed()) await run('npx', [...PNPM, 'pack', '--pack-destination', packed], { cwd });
  const archives = (await readdir(packed)).map((name) => join(packed, name));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...archives], { cwd: folder });
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
