/** Finds Virtuoso's programs in the PATH. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const SERVER = 'virtuoso-t';
/** Names of the SQL client in Debian and in Virtuoso's own packages. `isql` alone may belong to another database. */
const CLIENTS = ['isql-vt', 'isql-v', 'isql'];

export interface Programs {
  readonly server: string;
  readonly client: string;
}

/** `undefined` if the server, or the client next to it, is missing. */
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

/** The version that the server reports. */
export function serverVersion(): string | undefined {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const { stdout, stderr } = spawnSync(programs.server, ['-?'], { encoding: 'utf8', timeout: 10_000 });
  return /Version (\d[\d.]*\d)/.exec(`${stdout}${stderr}`)?.[1];
}
