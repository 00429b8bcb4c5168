// Gives all packages their next version, as the changesets say, and dates the changelog. `version.mjs FOLDER` works on a copy.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './packages.mjs';

const root = resolve(process.argv[2] ?? ROOT);
const versionOf = () => JSON.parse(readFileSync(join(root, 'packages/quadrille/package.json'), 'utf8')).version;

const before = versionOf();
// A package gets a major version from changesets when a peer of it leaves the range, as ^0.1.0 does at 0.2.0. Here all packages
// have one version, so their peers are hidden from changesets.
const withPeers = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'bench']
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => manifest.peerDependencies !== undefined)
  .map(({ folder }) => join(root, folder, 'package.json'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
for (const { path, text } of withPeers) {
  const { peerDependencies: _, ...others } = JSON.parse(text);
  writeFileSync(path, JSON.stringify(others, null, 2));
}
const changeset = join(import.meta.dirname, 'node_modules/@changesets/cli/bin.js');
const { status } = spawnSync(process.execPath, [changeset, 'version'], { cwd: root, stdio: 'inherit' });
const version = versionOf();
for (const { path, text } of withPeers)
  writeFileSync(path, text.replace(`"version": "${before}"`, `"version": "${version}"`));
if (status !== 0) process.exit(status ?? 1);
if (version === before) {
  console.error(`no changeset in .changeset: the version stays ${before}. "npx changeset" in release/ writes one`);
  process.exit(1);
}
const path = join(root, 'CHANGELOG.md');
const text = readFileSync(path, 'utf8');
const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`;
// A pre-release has no heading of its own: its changes belong to the release that it comes before.
if (!version.includes('-')) writeFileSync(path, text.replace('## Unreleased\n', `## Unreleased\n\n${heading}\n`));
console.log(`${before} → ${version}`);
