/** What a stranger does with packed packages in an empty folder, and what the packages cost. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The tarballs of a folder by the names of their packages. */
export async function tarballsIn(folder: string): Promise<ReadonlyMap<string, { file: string; manifest: Manifest }>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const read = files.map(async (name) => {
    const file = join(folder, name);
    const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json']);
    const manifest = JSON.parse(stdout) as Manifest;
    return [manifest.name, { file, manifest }] as const;
  });
  return new Map(await Promise.all(read));
}

export type Tarballs = Awaited<ReturnType<typeof tarballsIn>>;

/** The files of a package and of all packages of ours that it needs: no registry has them yet. */
function filesFor(tarballs: Tarballs, names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of Object.keys(tarballs.get(name)?.manifest.dependencies ?? {})) if (tarballs.has(next)) add(next);
  };
  for (const name of names) add(name);
  return [...found].map((name) => tarballs.get(name)!.file);
}

/** A folder of a stranger: nothing of this repository is on its paths. */
export class EmptyFolder {
  private constructor(readonly path: string) {}

  static async make(): Promise<EmptyFolder> {
    return new EmptyFolder(await realpath(await mkdtemp(join(tmpdir(), 'quadrille-stranger-'))));
  }

  get #env(): NodeJS.ProcessEnv {
    const { NODE_PATH: _, NODE_ENV: __, VITEST: ___, NODE_OPTIONS: ____, ...env } = process.env;
    return { ...env, NO_COLOR: '1', npm_config_audit: 'false', npm_config_fund: 'false' };
  }

  async run(command: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run(command, args, { cwd: this.path, env: this.#env, timeout: 300_000 });
    return stdout;
  }

  /** As `npm install NAMES…` does when the packages are published. */
  install(tarballs: Tarballs, names: readonly string[], others: readonly string[] = []): Promise<string> {
    return this.run('npm', 'install', '--prefer-offline', '--silent', ...filesFor(tarballs, names), ...others);
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text);
  }

  /** Starts a program that serves, and waits for the address that it prints. The caller ends it. */
  async serve(command: string, ...args: readonly string[]): Promise<{ address: string; stop: () => void }> {
    const child = spawn(command, args, { cwd: this.path, env: this.#env });
    for await (const chunk of child.stdout) {
      const address = /http:\/\/[\w.]+:\d+\//.exec(String(chunk))?.[0];
      if (address !== undefined) return { address, stop: () => void child.kill() };
    }
    throw new Error(`${command} ended before it printed an address`);
  }

  /** The packages that npm has installed, and the bytes of all files. */
  async installed(): Promise<{ packages: number; bytes: number }> {
    const { packages } = JSON.parse(await readFile(join(this.path, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    const files = await readdir(join(this.path, 'node_modules'), { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((file) => file.isFile())
      .map(async (file) => (await stat(join(file.parentPath, file.name))).size);
    return { packages: Object.keys(packages).length, bytes: (await Promise.all(sizes)).reduce((a, b) => a + b, 0) };
  }

  /** The files that a program loads as modules, as the coverage of Node.js lists them, and their bytes. */
  async modulesOf(program: string): Promise<{ files: number; bytes: number }> {
    const folder = await mkdtemp(join(this.path, 'coverage-'));
    const env = { ...this.#env, NODE_V8_COVERAGE: folder };
    await run(process.execPath, ['--input-type=module', '-e', program], { cwd: this.path, env });
    const [report] = await readdir(folder);
    const { result } = JSON.parse(await readFile(join(folder, report!), 'utf8')) as {
      result: readonly { url: string }[];
    };
    const urls = result
      .map(({ url }) => url)
      .filter((url) => url.startsWith('file:') && url.includes('/node_modules/'));
    const sizes = await Promise.all(urls.map(async (url) => (await stat(fileURLToPath(url))).size));
    return { files: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0) };
  }

  /**
   * The least processor time of each program in ms, of `runs` runs in turn. Other processes make a run longer, never shorter, and
   * processor time less so than time.
   */
  async leastCpu(programs: readonly string[], runs: number): Promise<number[]> {
    const best = programs.map(() => Infinity);
    const count = `process.on('exit', () => console.log(process.cpuUsage().user + process.cpuUsage().system));`;
    for (let i = 0; i < runs; i++)
      for (const [at, program] of programs.entries()) {
        const micros = await this.run(process.execPath, '--input-type=module', '-e', `${count}${program}`);
        best[at] = Math.min(best[at]!, Number(micros) / 1000);
      }
    return best;
  }
}
