// A nightly import: the file is the whole content, only what differs is stored, and a report says what changed.
//   node examples/nightly-import/import.mjs STORE FILE REPORT.md
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { open } from 'quadrille';

const [store, file, report] = process.argv.slice(2);
if (report === undefined) {
  console.error('usage: node import.mjs STORE FILE REPORT.md');
  process.exit(2);
}

const MOST_LINES = 50;
const db = await open(store);
try {
  const repo = await db.repository('nightly/data', { create: true });
  const before = await repo.revision();
  const after = await repo.load(file, { replace: true, message: `import of ${basename(file)}`, author: 'nightly' });
  const text = after.number === before.number ? 'Nothing changed.\n' : await reportOf(repo, before, after);
  await writeFile(report, `# Import of ${basename(file)}\n\n${text}`);
  console.log(text.split('\n')[0]);
} catch (error) {
  // Nothing of a document with an error is stored, so the data of yesterday stay.
  console.error(`import failed, nothing was changed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await db.close();
}

async function reportOf(repo, before, after) {
  const counts = new Map();
  const lines = [];
  // Read as a stream: the difference may be larger than the memory.
  for await (const { op, quad } of repo.diff(before, after)) {
    const count = counts.get(quad.predicate.value) ?? { add: 0, remove: 0 };
    count[op]++;
    counts.set(quad.predicate.value, count);
    if (lines.length < MOST_LINES) lines.push(`${op === 'add' ? '+' : '-'} ${textOf(quad)}`);
  }
  const most = [...counts].sort(([, a], [, b]) => b.add + b.remove - a.add - a.remove);
  return [
    `Revision ${after.number}: +${after.added} -${after.removed}, ${after.size} quads now.`,
    '',
    '| predicate | added | removed |',
    '| --- | ---: | ---: |',
    ...most.map(([predicate, { add, remove }]) => `| ${predicate} | ${add} | ${remove} |`),
    '',
    ['```diff', ...lines, '```'].join('\n'),
    ...(after.added + after.removed > lines.length ? [`and ${after.added + after.removed - lines.length} more.`] : []),
    '',
    `To take it back: quadrille revert ${store} ${after.number} -r nightly/data`,
    '',
  ].join('\n');
}

function textOf({ subject, predicate, object }) {
  return [subject, predicate, object].map(({ value }) => value.replace(/\s+/g, ' ').slice(0, 80)).join(' ');
}
