// Refuses a release of packages that lack what a registry shows of them, or whose versions differ.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, ROOT } from './packages.mjs';

/** @returns {string[]} one line for each fault */
export function faults(root = ROOT) {
  const all = published(root);
  const missing = all.flatMap(({ folder, manifest }) =>
    ['description', 'license', 'repository', 'homepage', 'bugs']
      .filter((name) => manifest[name] === undefined)
      .map((name) => `${folder}/package.json has no "${name}": add it before the first release`),
  );
  const versions = new Set(all.map(({ manifest }) => manifest.version));
  if (versions.size > 1) missing.push(`the packages have different versions: ${[...versions].join(', ')}`);
  const [version] = versions;
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version} (`))
    missing.push(`CHANGELOG.md has no heading "## ${version} (date)": run npm run release:version`);
  const left = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  if (left.length > 0) missing.push(`.changeset has ${left.join(', ')}: run npm run release:version`);
  return missing;
}

if (process.argv[1] === import.meta.filename) {
  const found = faults();
  for (const fault of found) console.error(fault);
  process.exitCode = found.length === 0 ? 0 : 1;
}
