// Packs all published packages into release/dist, lists their sizes, and writes the bill of materials of what npm installs with them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assemble } from './assemble.mjs';
import { DIST, published } from './packages.mjs';

const dist = resolve(process.argv[2] ?? DIST);
const all = published();
const { version } = all[0].manifest;
const tarball = ({ name }) => join(dist, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const folders = assemble(join(dist, 'packages')).map(({ folder }) => folder);
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist, ...folders], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
let sum = 0;
for (const { manifest } of all) {
  const { size } = statSync(tarball(manifest));
  sum += size;
  console.log(`${manifest.name.padEnd(30)} ${(size / 1000).toFixed(0).padStart(6)} kB`);
}
console.log(`${`${String(all.length)} tarballs`.padEnd(30)} ${(sum / 1000).toFixed(0).padStart(6)} kB`);

// npm describes a folder in which all of them are installed, without the tools of this repository.
const folder = mkdtempSync(join(tmpdir(), 'quadrille-sbom-'));
try {
  const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'quadrille-packages', version, private: true }));
  const files = all.map(({ manifest }) => tarball(manifest));
  npm('install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund', ...files);
  const bill = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'));
  // npm names the folder of this machine, and the files of our packages in it.
  bill.metadata.component.name = 'quadrille-packages';
  for (const component of [bill.metadata.component, ...bill.components])
    component.externalReferences = (component.externalReferences ?? []).filter(({ url }) => !url.startsWith('file:'));
  for (const component of bill.components)
    component.properties = (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:path');
  const target = join(dist, `quadrille-${version}.cdx.json`);
  writeFileSync(target, `${JSON.stringify(bill, null, 2)}\n`);
  const { specVersion } = JSON.parse(readFileSync(target, 'utf8'));
  console.log(`CycloneDX ${specVersion}: ${String(bill.components.length)} components`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
