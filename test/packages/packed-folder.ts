/** The packages as they are published, installed in an empty folder. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'packages');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
interface Assembled {
  readonly name: string;
  readonly folder: string;
}

/** Makes the published packages of these names in a folder. */
async function assembled(names: readonly string[], to: string): Promise<readonly Assembled[]> {
  const { assemble } = (await import(join(ROOT, 'release/assemble.mjs'))) as {
    assemble: (to: string, names: readonly string[]) => readonly Assembled[];
  };
  return assemble(to, names);
}

const emptyFolder = async (): Promise<string> => realpath(await mkdtemp(join(tmpdir(), 'quadrille-packed-')));

/**
 * An empty folder with the packed files of these packages. Packages of others are links to those of this repository, so that nothing
 * is downloaded. The caller removes the folder.
 * @param tools packages of others that the projects in the folder use
 */
export async function packedFolder(names: readonly string[], tools: readonly string[] = []): Promise<string> {
  const folder = await emptyFolder();
  for (const { name, folder: made } of await assembled(names, join(folder, 'assembled'))) {
    const target = join(folder, 'node_modules', name);
    await mkdir(dirname(target), { recursive: true });
    await rename(made, target);
    const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as Manifest;
    for (const dependency of Object.keys(dependencies ?? {})) await linkTool(dependency, target);
  }
  for (const tool of tools) await linkTool(tool, folder);
  return folder;
}

/** An empty folder with packages and tools that npm has installed from the packed files and the registry. */
export async function installedFolder(names: readonly string[]): Promise<string> {
  const folder = await emptyFolder();
  const made = await assembled(names, join(folder, 'assembled'));
  const folders = made.map((each) => each.folder);
  await mkdir(join(folder, 'packed'));
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', join(folder, 'packed'), ...folders]);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const packed = await readdir(join(folder, 'packed'));
  await npmInstall(
    folder,
    packed.map((name) => `./packed/${name}`),
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
