/**
 * Each runtime over the built packages: the conformance of storage, the examples, the servers and `quadrille serve`; Node.js also runs the suites of the
 * library, the formats and the server. A run takes one of the runtimes, by its seed; with QUADRILLE_SHARE=all, as in `npm run test:all`, all.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL, inShare, SHARE_TEXT } from '../share.js';
import { installRuntime, RUNTIMES } from './runtime.js';
import type { Installed } from './runtime.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const EXAMPLES = ['examples/examples.test.ts', 'examples/servers'];
const SERVER = ['packages/cli/src/serve.slow.test.ts', 'packages/cli/src/serve/operations.slow.test.ts'];
const SUITES = [
  'packages/quadrille',
  'packages/formats',
  'packages/formats-extra',
  'packages/server/src/http',
  'packages/server/src/message',
];

/** What docs/reference/runtimes.md says of a runtime: the tests that it does not pass. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  Bun: ['--tls-cert and --tls-key', '--workers: threads'],
  Deno: ['--tls-cert and --tls-key', 'an address of another machine'],
};

/** Tests of the server that a share takes. */
const SMOKE = ['RPC beside REST', 'SIGTERM: answers under way', '--base-path: everything', 'documents of strangers'];

/** The names of the tests of the server that a runtime has to pass. */
function patternFor(name: string): string {
  if (!ALL) return `(?:${SMOKE.join('|')})`;
  const except = DIFFERENT[name] ?? ['nothing at all'];
  return `^(?!.*(?:${except.join('|')}))`;
}

/** Runs suites. Resolves with what they printed. */
async function suites(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const clean = { ...process.env, VITEST: undefined, NO_COLOR: '1', ...env } as NodeJS.ProcessEnv;
  const { stdout } = await run(program, [VITEST, 'run', '--maxWorkers=1', ...args], {
    cwd: ROOT,
    env: clean,
    maxBuffer: 1e8,
  }).catch((error: { stdout: string; message: string }) => {
    throw new Error(`${error.stdout}\n${error.message}`.slice(-10_000));
  });
  return stdout;
}

const passed = (output: string): number => Number(/Tests .*?(\d+) passed/.exec(output)?.[1]);

describe.each(RUNTIMES.filter((_, index) => inShare(index, RUNTIMES.length)))(`$name (${SHARE_TEXT})`, (runtime) => {
  let folder: string;
  let installed: Installed | string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quadrille-runtime-'));
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    installed = await installRuntime(runtime, folder);
    const text =
      typeof installed === 'string' ? `cannot be installed, so nothing is tested: ${installed}` : installed.version;
    process.stdout.write(`${runtime.name}: ${text}\n`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the conformance of storage', async ({ skip }) => {
    if (typeof installed === 'string') return skip(installed);
    const [program, ...args] = installed.command;
    const { stdout } = await run(program!, [...args, join(import.meta.dirname, 'conformance.mjs')]);
    const result = JSON.parse(stdout) as { passed: number; failed: string[] };
    expect(result.failed).toEqual([]);
    expect(result.passed).toBeGreaterThan(100);
  });

  test('the examples print what they print elsewhere, and servers answer', async ({ skip }) => {
    if (typeof installed === 'string') return skip(installed);
    const env = { QUADRILLE_RUNTIME: JSON.stringify(installed.command) };
    expect(passed(await suites(process.execPath, EXAMPLES, env))).toBeGreaterThan(15);
    expect(passed(await suites(process.execPath, [...SERVER, '-t', patternFor(runtime.name)], env))).toBeGreaterThan(3);
  });

  const whole = !runtime.isNode
    ? ' (skipped: their runner is for Node.js)'
    : ALL
      ? ''
      : ' (skipped: only in npm run test:all)';
  test.skipIf(whole !== '')(`the suites of the library, the formats and the server${whole}`, async ({ skip }) => {
    if (typeof installed === 'string') return skip(installed);
    // A cancelled body of a request of the same process may cause an unhandled rejection: see docs/reference/runtimes.md.
    const flags = ['--dangerouslyIgnoreUnhandledErrors', '--project', 'unit'];
    const output = await suites(installed.command[0]!, [...flags, ...SUITES]);
    expect(passed(output)).toBeGreaterThan(1500);
  });
});
