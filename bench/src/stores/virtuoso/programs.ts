/** Virtuoso's programs, where they are installed: found in the PATH. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const SERVER = 'virtuoso-t';
/** As Debian and as its makers name the SQL client; `isql` alone may be that of another database. */
const CLIENTS = ['isql-vt', 'isql-v', 'isql'];

export interface Programs {
  readonly server: string;
  readonly client: string;
}

/** `undefined` where the server, or the client beside it, is not there. */
export function findPrograms(path = process.env['PATH'] ?? ''): Programs | undefined {
  for (const folder of path.split(delimiter)) {
    const server = join(folder, SERVER);
    if (folder === '' || !isExecutable(server)) continue;
    const client = CLIENTS.map((name) => join(dirname(server), name)).find(isExecutable);
    if (client !== undefined) return { server, client };
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What the server says of itself. */
export function serverVersion(): string | undefined {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const { stdout, stderr } = spawnSync(programs.server, ['-?'], { encoding: 'utf8', timeout: 10_000 });
  return /Version (\d[\d.]*\d)/.exec(`${stdout}${stderr}`)?.[1];
}
