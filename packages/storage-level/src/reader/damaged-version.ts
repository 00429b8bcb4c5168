/** Finds the files of a LevelDB database whose `CURRENT` or manifest may be damaged. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnDamage } from '@quadrille/storage';
import { readManifest, type LevelVersion, type TableFile } from './version.js';

const MANIFEST = /^MANIFEST-(\d+)$/;
const TABLE = /^(\d+)\.(?:ldb|sst)$/;
const ANYWHERE = { smallest: new Uint8Array(0), largest: new Uint8Array(0) };

export interface FoundVersion extends LevelVersion {
  /** Whether earlier levels, and earlier tables of the first level, have the newer versions of a key. */
  readonly inOrder: boolean;
}

/** Like `readVersion`. If no manifest can be read, it returns all tables and logs that exist. */
export async function findVersion(directory: string, onDamage: OnDamage): Promise<FoundVersion> {
  const names = await readdir(directory);
  const current = await currentManifest(directory);
  for (const manifest of [...(current === undefined ? [] : [current]), ...manifestsIn(names)]) {
    const version = await readManifest(directory, manifest, { thorough: true }).catch(() => undefined);
    if (version === undefined) continue;
    if (manifest !== current)
      onDamage({ message: `${join(directory, 'CURRENT')} is damaged: ${manifest} was read instead.` });
    return { ...version, inOrder: true };
  }
  onDamage({
    message:
      `The manifest of ${directory} is damaged: all tables and logs were read, and the newest entry of each key was used. ` +
      'Deleted data may be back.',
    missing: 'anywhere',
  });
  const tables = names.flatMap((name): TableFile[] => {
    const number = TABLE.exec(name)?.[1];
    return number === undefined ? [] : [{ number: Number(number), bytes: 0, ...ANYWHERE }];
  });
  return { manifest: '', levels: [tables], logNumber: 0, previousLog: 0, inOrder: false };
}

async function currentManifest(directory: string): Promise<string | undefined> {
  const text = await readFile(join(directory, 'CURRENT'), 'utf8').catch(() => '');
  return MANIFEST.test(text.trim()) ? text.trim() : undefined;
}

/** From the newest to the oldest. */
function manifestsIn(names: readonly string[]): string[] {
  const numberOf = (name: string): number => Number(MANIFEST.exec(name)?.[1]);
  return names.filter((name) => MANIFEST.test(name)).sort((a, b) => numberOf(b) - numberOf(a));
}
