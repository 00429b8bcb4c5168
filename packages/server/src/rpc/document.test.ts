import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { rpcDocument } from './document.js';
import { MethodRegistry } from './methods/registry.js';

const FILE = resolve(import.meta.dirname, '../../../../docs/reference/rpc.md');

test('docs/reference/rpc.md is current: npm run docs writes it', async () => {
  const { code } = await format('rpc.md', rpcDocument());
  expect(await readFile(FILE, 'utf8')).toBe(code);
});

test('every method has its section', () => {
  const text = rpcDocument();
  for (const { names, doc } of new MethodRegistry().methods) {
    expect(text).toContain(`### ${names[0]}\n`);
    expect(text).toContain(doc);
  }
});
