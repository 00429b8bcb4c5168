/** `quadrille ui`, with a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { open } from 'quadrille';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, soon, summary } from './scene.js';
import { CHROMIUM, launch, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openPage } from './slow.js';

const BIN = resolve(import.meta.dirname, '../../packages/quadrille/bin/quadrille.js');

describe.skipIf(CHROMIUM === undefined)(`quadrille ui${WITHOUT_CHROMIUM}`, () => {
  test('the link leads to a page that may ask; a page that is open does not keep the command', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-ui-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const store = join(directory, 'store');
    const database = await open(store, { create: true });
    const repository = await database.repository('acme/people', { create: true });
    await repository.load({ text: '<urn:a> <urn:p> 1 , 2 , 3 .' }, { format: 'ttl' });
    await database.close();
    const child = spawn(process.execPath, [BIN, 'ui', store, '--no-open', '--json']);
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { signIn } = JSON.parse(text) as { signIn: string };
    const context = await launch(join(directory, 'profile'));
    onTestFinished(() => context.close());
    const page = await openPage(context);
    await page.goto(signIn);
    await page.getByRole('button', { name: 'Account' }).waitFor();
    await ask(page, 'SELECT * { ?s ?p ?o }');
    await soon(() => summary(page)).toMatch(/^3 rows/);
    expect([new URL(page.url()).hash.split('?')[0], page.url().includes('code=')]).toEqual([
      '#/acme/people/query',
      false,
    ]);
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(0);
  });
});
