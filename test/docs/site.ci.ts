/**
 * The site: all references are made, every link and anchor leads somewhere, and pages in Chromium ask no other origin, fit 400 px and
 * have no fault that axe-core finds. The site has packages of its own, which are installed first.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { notInShare } from '../share.js';

const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(ROOT, 'site/dist');
const run = promisify(execFile);
/** Vitest sets these for its own programs. Astro takes them for those of the site, and leaves the search out. */
const OF_VITEST = new Set(['NODE_ENV', 'VITEST', 'TEST', 'MODE', 'DEV', 'PROD', 'SSR', 'BASE_URL']);
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_VITEST.has(name)));
/** Runs a script of package.json. A failure says what the script has written. */
async function script(name: string): Promise<string> {
  const { stdout } = await run('npm', ['run', '-s', name], { cwd: ROOT, env, maxBuffer: 64 << 20 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`npm run ${name}\n${error.stdout.slice(-4000)}\n${error.stderr.slice(-4000)}`);
    },
  );
  return stdout;
}
const packages = async () =>
  (await readdir(join(ROOT, 'packages'))).filter((name) => existsSync(join(ROOT, 'packages', name, 'src/index.ts')));

/** It takes two minutes: a third of the runs has it. The others have the container or the large tools of packages. */
const SKIPPED = notInShare(0, 3);

describe.skipIf(SKIPPED !== '')(`the site${SKIPPED}`, () => {
  let built: string;
  beforeAll(async () => {
    built = await script('docs:site');
  });

  test('every link and anchor leads somewhere, and nothing is asked of other origins', () => {
    const [, pages, links, faults] = /(\d+) pages, (\d+) links, (\d+) faults\s*$/.exec(built) ?? [];
    console.log(`${String(pages)} pages, ${String(links)} links`);
    expect(Number(faults)).toBe(0);
    expect(Number(pages)).toBeGreaterThan(330);
  });

  test('every library has its reference', async () => {
    // The command has pages of its own, one for each subcommand.
    const libraries = (await packages()).filter((name) => name !== 'quadrille' && name !== 'cli');
    const missing = libraries.filter((name) => !existsSync(join(DIST, 'reference/packages', name, 'index.html')));
    expect(missing).toEqual([]);
    for (const page of ['api/interfaces/repository', 'rest/schemas', 'cli/serve', 'rpc', 'errors'])
      expect([page, existsSync(join(DIST, 'reference', page, 'index.html'))]).toEqual([page, true]);
  });

  test.skipIf(!existsSync('/usr/bin/chromium'))('in Chromium (skipped where it is not installed)', async () => {
    expect(await script('test:site')).toMatch(/^\d+ passed with 0 faults$/m);
  });
});
