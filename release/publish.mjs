// Publishes the tarballs of release/dist, which `release:pack` has made. A pre-release gets the tag "next".
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, published } from './packages.mjs';

const [{ manifest }] = published();
const tag = manifest.version.includes('-') ? 'next' : 'latest';
for (const name of readdirSync(DIST).filter((file) => file.endsWith(`-${manifest.version}.tgz`)))
  execFileSync('npm', ['publish', join(DIST, name), '--access', 'public', '--tag', tag], { stdio: 'inherit' });
