/** The runtimes that the product supports, as npm has them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmInstall } from '../packages/packed-folder.js';

const run = promisify(execFile);

export interface Runtime {
  readonly name: string;
  /** What npm installs. */
  readonly install: string;
  /** The program below `node_modules`, and its arguments before a file. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Whether it runs the runner of the tests, and so whole suites. */
  readonly isNode: boolean;
}

const node = (major: number): Runtime => ({
  name: `Node.js ${major}`,
  install: `node${major}@npm:node@${major}`,
  command: [`node${major}/bin/node`],
  isNode: true,
});

export const RUNTIMES: readonly Runtime[] = [
  node(20),
  node(22),
  node(24),
  node(26),
  { name: 'Bun', install: 'bun@1', command: ['.bin/bun'], isNode: false },
  {
    name: 'Deno',
    install: 'deno@2',
    command: ['.bin/deno', 'run', '-A', '--node-modules-dir=manual'],
    isNode: false,
  },
];

export interface Installed {
  readonly command: readonly string[];
  readonly version: string;
}

/** Installs a runtime into a folder. Returns the reason where it cannot be installed or does not start. */
export async function installRuntime({ install, command }: Runtime, folder: string): Promise<Installed | string> {
  try {
    await npmInstall(folder, [install]);
    const [program, ...args] = command;
    const installed = [join(folder, 'node_modules', program), ...args];
    const { stdout } = await run(installed[0]!, ['--version']);
    return { command: installed, version: stdout.trim().split('\n')[0]! };
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1)!;
  }
}
