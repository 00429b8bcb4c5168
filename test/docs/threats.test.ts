/** The table of threats: every row names tests that are there, and that name the row where they have it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/explanation/security-model.md');
const IDS =
  'A1 A2 A3 A4 A5 A6 I1 I2 I3 I4 S1 S2 S3 S4 S5 S6 X1 X2 X3 D1 D2 D3 L1 L2 L3 L4 U1 U2 R1 Q1 Q2 Q3 Q4 H1 H2 H3 H4 H5 H6 H7 P1 P2 F1 N1 N2 O1 O2 O3 C1 C2 C3 K1 K2 V1 V2 V3 V4 V5 V6'.split(
    ' ',
  );

const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, , , tests] = /^\| ([A-Z]\d) +\|(.*?)\|(.*?)\|(.*)\|$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, files: [...tests!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!) }];
  });

test('each threat has a row', () => {
  expect(rows.map(({ id }) => id)).toEqual(IDS);
});

test.each(rows)('$id', ({ id, files }) => {
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    if (file.endsWith('security.test.ts')) expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(id);
  }
});
