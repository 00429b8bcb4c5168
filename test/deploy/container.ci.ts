/** Builds the container by buildah over a base that debootstrap makes, without a registry or a daemon, and runs it. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { notInShare } from '../share.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildServerFile } from './server-file.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const BASE = 'localhost/quadrille-test-base:1';
const IMAGE = 'localhost/quadrille-test:1';
const MEGABYTE = 1024 ** 2;

const installed = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const REASON = !installed('buildah')
  ? 'no buildah'
  : !installed('debootstrap')
    ? 'no debootstrap'
    : process.getuid?.() !== 0
      ? 'not root'
      : undefined;
// The site and the large tools of packages are in other shares.
const WITHOUT = notInShare(1, 3) + (REASON === undefined ? '' : ` (skipped: ${REASON})`);

describe.skipIf(WITHOUT !== '')(`the container${WITHOUT}`, () => {
  let folder: string;
  let container: string;

  const buildah = async (...args: string[]): Promise<string> => {
    const where = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
    const { stdout } = await run('buildah', [...where, ...args], {
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    });
    return stdout.trim();
  };

  /** Debian with Node.js, as the published base is. */
  async function makeBase(): Promise<void> {
    const root = join(folder, 'base');
    await run('debootstrap', ['--variant=minbase', 'bookworm', root]);
    await rm(join(root, 'var/cache/apt'), { recursive: true });
    await rm(join(root, 'var/lib/apt/lists'), { recursive: true });
    await copyFile(process.execPath, join(root, 'usr/local/bin/node'));
    const scratch = await buildah('from', 'scratch');
    await buildah('copy', scratch, root, '/');
    await buildah('commit', '--rm', scratch, BASE);
    await rm(root, { recursive: true });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quadrille-container-'));
    await makeBase();
    // What the first stage would build stands in its place: this checkout is built already.
    const built = join(folder, 'built');
    await mkdir(join(built, 'src/deploy'), { recursive: true });
    await buildServerFile(join(built, 'src/deploy/dist'));
    const file = ['--file', join(ROOT, 'deploy/Containerfile'), '--build-arg', `BASE=${BASE}`];
    await buildah('build', '--format', 'docker', ...file, '--build-context', `build=${built}`, '--tag', IMAGE, ROOT);
    container = await buildah('from', IMAGE);
  });
  afterAll(async () => {
    if (container !== undefined) await buildah('rm', container);
    await rm(folder, { recursive: true, force: true });
  });

  interface Running {
    readonly url: string;
    readonly token?: string;
    readonly startedMs: number;
    readonly end: () => Promise<number | null>;
  }

  /** The command of the image, on a free port of this machine alone. */
  async function start(): Promise<Running> {
    const begin = performance.now();
    const where = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
    const command = ['node', '/opt/quadrille/quadrille-server.mjs', 'serve', '/data'];
    const child = spawn(
      'buildah',
      [...where, 'run', container, '--', ...command, '--host', '127.0.0.1', '--port', '0', '--json'],
      { env: { ...process.env, BUILDAH_ISOLATION: 'chroot' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const closed = once(child, 'close').then(([code]) => code as number | null);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, token, pid } = JSON.parse(line.toString()) as { url: string; token?: string; pid: number };
    const startedMs = Math.round(performance.now() - begin);
    let ended = false;
    onTestFinished(() => void (ended || process.kill(pid, 'SIGKILL')));
    return {
      url,
      startedMs,
      ...(token !== undefined && { token }),
      async end() {
        ended = true;
        process.kill(pid, 'SIGTERM');
        return closed;
      },
    };
  }

  test('is small, runs as nobody, and says how its health is checked', async () => {
    const { stdout } = await run('du', ['-sb', join(folder, 'built')]);
    const image = JSON.parse(await buildah('inspect', '--type', 'image', IMAGE)) as {
      Docker: { config: { User: string; Healthcheck: { Test: string[] } }; size?: number };
    };
    const [own] = stdout.split('\t').map(Number);
    const sizes = (await buildah('images', '--json')).toString();
    const whole = /"names":\s*\[\s*"localhost\/quadrille-test:1"\s*\][\s\S]*?"size":\s*"([\d.]+) MB"/.exec(sizes)?.[1];
    console.log(`container: ${(own! / MEGABYTE).toFixed(1)} MB of our own, ${whole ?? '?'} MB in all`);
    expect(own!).toBeLessThan(60 * MEGABYTE);
    expect(Number(whole)).toBeLessThan(400);
    expect(image.Docker.config.User).toBe('10001:10001');
    expect(image.Docker.config.Healthcheck.Test.join(' ')).toMatch(/^CMD node .* health$/);
    expect(await buildah('run', container, '--', 'id', '-u')).toBe('10001');
  });

  test('loads, ends by SIGTERM with 0, and has the data at its next start', async () => {
    const first = await start();
    console.log(`container: the server is ready ${String(first.startedMs)} ms after its start`);
    const headers = { Authorization: `Bearer ${first.token!}` };
    const ask = async (url: string): Promise<string> => {
      const query = encodeURIComponent('ASK { <urn:s> <urn:p> "in a container" }');
      const answer = await fetch(`${url}/default/default/sparql?query=${query}`, { headers });
      return answer.text();
    };
    const loaded = await fetch(`${first.url}/default/default/statements`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'text/turtle' },
      body: '<urn:s> <urn:p> "in a container" .',
    });
    expect(loaded.status).toBe(204);
    expect(await ask(first.url)).toMatch(/true/);
    const health = [
      'env',
      `QUADRILLE_PORT=${new URL(first.url).port}`,
      'node',
      '/opt/quadrille/quadrille-server.mjs',
      'health',
    ];
    expect(await buildah('run', container, '--', ...health)).toBe('ready');
    expect(await first.end()).toBe(0);
    const second = await start();
    expect(second.token).toBeUndefined();
    expect(await ask(second.url)).toMatch(/true/);
    expect(await second.end()).toBe(0);
  });

  test('writes nothing outside its volume', async () => {
    const mounted = await buildah('mount', container);
    try {
      const { stdout } = await run('find', [
        mounted,
        '-newer',
        join(mounted, 'opt/quadrille/LICENSE'),
        '-user',
        '10001',
      ]);
      const written = stdout.split('\n').map((path) => path.slice(mounted.length));
      expect(written.filter((path) => path !== '' && !path.startsWith('/data'))).toEqual([]);
    } finally {
      await buildah('umount', container);
    }
  });
});
