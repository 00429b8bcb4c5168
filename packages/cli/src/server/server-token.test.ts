import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serverToken } from './server-token.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-token-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('the token of a file comes before that of the environment', async () => {
  vi.stubEnv('QUADRILLE_TOKEN', ' of-the-environment\n');
  const file = join(folder, 'token');
  await writeFile(file, 'of-the-file\n');
  expect(await serverToken(file)).toBe('of-the-file');
  expect(await serverToken(undefined)).toBe('of-the-environment');
  vi.stubEnv('QUADRILLE_TOKEN', '');
  expect(await serverToken(undefined)).toBeUndefined();
});

test('a file that is missing, empty or no token is named', async () => {
  const file = join(folder, 'token');
  await expect(serverToken(file)).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND', details: { file } });
  for (const text of ['', ' \n', 'two\nlines', 'grüße']) {
    await writeFile(file, text);
    await expect(serverToken(file)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  }
});
