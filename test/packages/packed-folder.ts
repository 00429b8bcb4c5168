/** The packages as they are published, installed in an empty folder. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'packages');
const PNPM = ['--yes', 'pnpm@10.34.9'];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const folderOf = (name: string): string => join(PACKAGES, name.replace('@quadrille/', ''));
const isOurs = (name: string): boolean => name === 'quadrille' || name.startsWith('@quadrille/');
const manifestOf = async (name: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folderOf(name), 'package.json'), 'utf8')) as Manifest;
const tarballOf = ({ name, version }: Manifest): string => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** These packages of ours, and those that they depend on. */
async function withDependencies(names: readonly string[]): Promise<ReadonlyMap<string, Manifest>> {
  const found = new Map<string, Manifest>();
  const add = async (name: string): Promise<void> => {
    if (found.has(name)) return;
    const manifest = await manifestOf(name);
    found.set(name, manifest);
    for (const dependency of Object.keys(manifest.dependencies ?? {}).filter(isOurs)) await add(dependency);
  };
  for (const name of names) await add(name);
  return found;
}

const emptyFolder = async (): Promise<string> => realpath(await mkdtemp(join(tmpdir(), 'quadrille-packed-')));

/**
 * An empty folder with the packed files of these packages. Packages of others are links to those of this repository, so that nothing
 * is downloaded. The caller removes the folder.
 * @param tools packages of others that the projects in the folder use
 */
export async function packedFolder(names: readonly string[], tools: readonly string[] = []): Promise<string> {
  const folder = await emptyFolder();
  const packages = await withDependencies(names);
  const packed = join(folder, 'packed');
  await mkdir(packed);
  const folders = [...packages.keys()].map(folderOf);
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed, ...folders], { cwd: folder });
  for (const [name, manifest] of packages) {
    const target = join(folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(packed, tarballOf(manifest)), '-C', target, '--strip-components', '1']);
    for (const dependency of Object.keys(manifest.dependencies ?? {}))
      if (!isOurs(dependency)) await link(folderOf(name), dependency, target);
  }
  for (const tool of tools) await linkTool(tool, folder);
  return folder;
}

/** An empty folder with packages and tools that npm has installed from the packed files and the registry. */
export async function installedFolder(names: readonly string[]): Promise<string> {
  const folder = await emptyFolder();
  const packages = await withDependencies(names);
  for (const name of packages.keys())
    await run('npx', [...PNPM, 'pack', '--pack-destination', join(folder, 'packed')], { cwd: folderOf(name) });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npmInstall(
    folder,
    [...packages.values()].map((manifest) => `./packed/${tarballOf(manifest)}`),
  );
  return folder;
}

export async function npmInstall(folder: string, what: readonly string[]): Promise<void> {
  const env = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' };
  await run('npm', ['install', '--prefer-offline', ...what], { cwd: folder, env, timeout: 600_000 });
}

/** A package of others that this repository has for its own tests. */
async function linkTool(tool: string, folder: string): Promise<void> {
  for (const from of [ROOT, join(ROOT, 'test'), join(ROOT, 'examples/browser'), ...(await packageFolders())]) {
    if (
      await link(from, tool, folder).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error(`${tool} is not installed in this repository`);
}

const packageFolders = async (): Promise<string[]> => (await readdir(PACKAGES)).map((name) => join(PACKAGES, name));

async function link(from: string, dependency: string, target: string): Promise<void> {
  const source = await realpath(join(from, 'node_modules', dependency));
  const path = join(target, 'node_modules', dependency);
  await mkdir(dirname(path), { recursive: true });
  await symlink(source, path);
}
