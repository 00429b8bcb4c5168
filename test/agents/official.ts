/** The official programs of the Model Context Protocol, as npm has them, in a folder that later runs find again. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmInstall } from '../packages/packed-folder.js';

const run = promisify(execFile);

/** The client of the SDK at two versions: the newest protocol that they speak is the newest and the oldest that a session speaks. */
const PACKAGES = [
  '@modelcontextprotocol/conformance@0.1.16',
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/server-memory@2026.8.31',
  'sdk-of-june@npm:@modelcontextprotocol/sdk@1.23.0',
];
const FOLDER = join(tmpdir(), 'quadrille-official-mcp-1');
/** The conformance suite and the inspector need it. */
const NODE = 'node@22.23.3';

export interface Official {
  /** Runs a program of these packages, at `path` below node_modules, and gives what it has written and its exit code. */
  run(path: string, args: readonly string[]): Promise<{ code: number; output: string }>;
  /** What the memory of an agent is compared with. */
  readonly serverMemory: string;
  /** The path of a module of the SDK. */
  sdk(version: '2025-06-18' | '2025-11-25', module: string): string;
}

/** Installs them. Returns the reason where that is not possible, such as without a network. */
export async function official(): Promise<Official | string> {
  try {
    const modules = await installed('programs', PACKAGES, ['--ignore-scripts']);
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isNew = major > 22 || (major === 22 && minor >= 19);
    const node = isNew ? process.execPath : join(await installed('node', [NODE], []), 'node/bin/node');
    await run(node, ['--version']);
    const sdks = { '2025-11-25': '@modelcontextprotocol/sdk', '2025-06-18': 'sdk-of-june' };
    const env = { ...process.env, HOME: FOLDER, NO_COLOR: '1' };
    return {
      run: (path, args) => outcome(run(node, [join(modules, path), ...args], { cwd: FOLDER, env, maxBuffer: 1e8 })),
      serverMemory: join(modules, '@modelcontextprotocol/server-memory/dist/index.js'),
      sdk: (version, module) => join(modules, sdks[version], 'dist/esm', module),
    };
  } catch (error) {
    const lines = (error as Error).message.trim().split('\n');
    return lines.find((line) => /^npm error (?!code|errno|syscall)/.test(line)) ?? lines.at(-1)!;
  }
}

async function installed(name: string, packages: readonly string[], options: readonly string[]): Promise<string> {
  const folder = join(FOLDER, name);
  const modules = join(folder, 'node_modules');
  const done = join(folder, `done ${packages.join(' ').replaceAll('/', '+')}`);
  if (existsSync(done)) return modules;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npmInstall(folder, [...options, ...packages]);
  await writeFile(done, '');
  return modules;
}

async function outcome(running: ReturnType<typeof run>): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await running;
    return { code: 0, output: `${String(stdout)}${String(stderr)}` };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
      message,
    } = error as Error & Record<'stdout' | 'stderr', string> & { code?: unknown };
    return { code: typeof code === 'number' ? code : 1, output: `${stdout}${stderr}` || message };
  }
}
