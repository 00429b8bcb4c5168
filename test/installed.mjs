// Installs the dependencies unless they are those of the lock file: pnpm keeps a copy of it beside what it has installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const read = (path) => {
  try {
    return readFileSync(new URL(path, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
};

if (read('../node_modules/.pnpm/lock.yaml') !== read('../pnpm-lock.yaml')) {
  const { status } = spawnSync('npm run -s setup', { shell: true, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
