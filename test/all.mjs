// `npm run test:all`: the suite and its part for CI, with everything of which other runs take a share.
import { spawnSync } from 'node:child_process';

const env = { ...process.env };
for (const name of ['SHARE', 'KILLERS', 'MOMENTS', 'PACKAGES']) env[`QUADRILLE_${name}`] = 'all';
for (const script of ['test', 'test:ci']) {
  const { status } = spawnSync('npm', ['run', '-s', script], {
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  // The second part runs in any case.
  if (status !== 0) process.exitCode = 1;
}
