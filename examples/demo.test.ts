import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
let directory: string;
let running: ChildProcess | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-demo-'));
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await rm(directory, { recursive: true });
});

interface Demo {
  readonly text: string;
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

async function start(): Promise<Demo> {
  const child = spawn(process.execPath, [join(root, 'examples/demo.mjs')], {
    cwd: root,
    env: { ...process.env, QUADRILLE_PORT: '0', QUADRILLE_DEMO_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  const ended = new Promise<number | null>((done) => child.on('close', done));
  let text = '';
  await new Promise<void>((ready, fail) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('Ctrl+C')) ready();
    });
    child.on('close', (code) => fail(new Error(`the demonstration ended with ${String(code)}: ${text}`)));
  });
  return {
    text,
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

const shell = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: root });
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^ {3}((?:curl|npx) .*)$/gm)].map(([, line = '']) => line);

test(
  'what it prints works as printed, twice, and a second start goes on with the same store',
  { timeout: 120_000 },
  async () => {
    const first = await start();
    expect(first.text.match(/^revision \d+: the solar system in/gm)).toHaveLength(6);
    const commands = commandsIn(first.text);
    expect(commands).toHaveLength(5);
    const outputs: string[] = [];
    for (const command of commands) outputs.push((await shell(command)).stdout);
    const [now = '', then = '', pluto = '', update = '', diff = ''] = outputs;
    expect(now.trim().split(/\r?\n/)).toHaveLength(9);
    expect(then.trim().split(/\r?\n/)).toHaveLength(14);
    expect(then).toContain('Ceres');
    expect(pluto).toContain('Tombaugh');
    expect(update).toMatch(/204 No Content[^]*etag: "[0-9a-f-]{36}"/i);
    expect(diff).toContain('A <http://example.org/solar-system/Kerberos>');
    expect((await shell(commands[0] ?? '')).stdout).toContain('Vulcan');
    await shell(commands[4] ?? '');
    expect(await first.stop('SIGTERM')).toBe(0);

    const second = await start();
    expect(second.text).not.toContain('revision ');
    expect((await shell(commandsIn(second.text)[0] ?? '')).stdout).toContain('Vulcan');
    expect(await second.stop('SIGINT')).toBe(0);
  },
);
