/** `npm run dev`: a page that reloads itself when the page was built anew. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('serves the page with a script that asks for the number of the build', async () => {
  const dev = spawn(process.execPath, [resolve(import.meta.dirname, '../../packages/workbench/dev.mjs')], {
    env: { ...process.env, QUADRILLE_PORT: '0' },
  });
  onTestFinished(() => void dev.kill('SIGKILL'));
  let text = '';
  for await (const chunk of dev.stdout) {
    text += String(chunk);
    if (text.includes('Ctrl+C')) break;
  }
  const [base = ''] = /http:\S+/.exec(text) ?? [];
  const page = await (await fetch(base)).text();
  const [, script = ''] = /src="(workbench\/assets\/reload\.js)"/.exec(page) ?? [];
  const code = await (await fetch(new URL(script, base))).text();
  const [, asked = ''] = /fetch\('([^']+)'\)/.exec(code) ?? [];
  expect(await (await fetch(new URL(asked, base))).text()).toBe('0');
  const size = await fetch(new URL('demo/solar-system/size', base));
  expect(Number(await size.text())).toBeGreaterThan(20);
  dev.kill('SIGINT');
  expect(await once(dev, 'exit')).toEqual([0, null]);
});
