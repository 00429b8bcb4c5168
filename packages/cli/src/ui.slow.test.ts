// `quadrille ui`, as a process of its own.
import { once } from 'node:events';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ok, quadrille, start, type Workspace, workspace } from './testing/command.js';

const SLOW = { timeout: 60_000 };

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

interface Ui {
  readonly text: string;
  readonly link: URL;
  /** Ends it as Ctrl+C does. */
  readonly end: () => Promise<{ readonly code: number | null; readonly errors: string }>;
}

async function ui(args: readonly string[], env: Record<string, string> = {}): Promise<Ui> {
  const child = start(['ui', work.store, ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return {
    text,
    link: new URL(/http:\S+?(?=["\s])/.exec(text.replace(/^.*"signIn":/, ''))![0]),
    async end() {
      child.kill('SIGINT');
      return { code: (await closed)[0], errors };
    },
  };
}

/** What a program of this name gets for an address. */
async function browser(): Promise<{ program: string; opened: () => Promise<string> }> {
  const file = join(work.directory, 'opened');
  const program = await work.file(
    'browser.sh',
    `#!/bin/sh\nprintf '%s' "$1" > '${file}.part' && mv '${file}.part' '${file}'\n`,
  );
  await chmod(program, 0o755);
  return { program, opened: () => readFile(file, 'utf8').catch(() => '') };
}

test('makes a store, opens the browser with a link that signs in once, and ends with Ctrl+C', SLOW, async () => {
  const { program, opened } = await browser();
  const served = await ui([], { BROWSER: program });
  expect(served.text).toMatch(
    /^Serving \S+ to this machine\n  open        http:\/\/127\.0\.0\.1:\d+\/#\/default\/default\/query\?code=/,
  );
  await expect.poll(opened, { timeout: 10_000 }).toBe(served.link.href);
  const { origin, hash } = served.link;
  expect((await fetch(`${origin}/default/default/size`)).status).toBe(401);
  const code = new URLSearchParams(hash.split('?')[1]).get('code');
  const exchange = (): Promise<Response> =>
    fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ code }),
    });
  const first = await exchange();
  expect(first.ok).toBe(true);
  const { token } = (await first.json()) as { token: string };
  const size = await fetch(`${origin}/default/default/size`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await size.text()).toBe('0');
  expect((await exchange()).status).toBe(401);
  expect(await served.end()).toEqual({ code: 0, errors: '' });
  // The store is free again, and what there was before stays the administrator.
  await ok('update', work.store, 'INSERT DATA { <urn:a> <urn:p> 1 }');
  const again = await ui(['--no-open', '--json']);
  expect(JSON.parse(again.text)).toEqual({ url: again.link.origin, pid: expect.any(Number), signIn: again.link.href });
  const accounts = await quadrille(['ui', work.store, '--no-open']);
  expect([accounts.code, accounts.stderr]).toEqual([1, expect.stringContaining('(STORE_LOCKED)')]);
  expect((await again.end()).code).toBe(0);
});

test('without a browser it goes on, and says so; a wrong port is refused', SLOW, async () => {
  const served = await ui([], { BROWSER: join(work.directory, 'none') });
  await expect.poll(async () => (await fetch(`${served.link.origin}/health`)).status).toBe(200);
  expect(await served.end()).toEqual({
    code: 0,
    errors: expect.stringMatching(/none cannot be started: open the link/),
  });
  expect(await quadrille(['ui', work.store, '--port', 'x'])).toMatchObject({ code: 2 });
});
