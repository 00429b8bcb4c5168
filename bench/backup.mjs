/**
 * Measures backups, as ratios of one run: a full backup against a program that reads, hashes, writes and syncs the same bytes; what an
 * increment after 1,000 commits writes; how long commits wait at most while a backup runs.
 *
 * node bench/backup.mjs [quads, default 1000000] [scratch directory]
 * Caches are dropped before each measurement where /proc/sys/vm/drop_caches can be written.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { iri, literal, open, quad } from '../packages/quadrille/dist/index.js';

const quads = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(process.argv[3] ?? tmpdir(), 'quadrille-bench-backup-'));
const at = (name) => join(folder, name);
const MB = 1024 * 1024;

function cold() {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

async function timed(work) {
  const isCold = cold();
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result, isCold };
}

async function* document() {
  for (let from = 0; from < quads; from += 1000) {
    let text = '';
    for (let i = from; i < Math.min(quads, from + 1000); i++)
      text += `<http://example.org/subject/${Math.floor(i / 5)}> <http://example.org/predicate/${i % 23}> "value ${(i * 7919) % 400009}" .\n`;
    yield Buffer.from(text);
  }
}

/** Reads files, hashes them, writes and syncs copies. */
async function copyFiles(from, to) {
  const buffer = Buffer.alloc(MB);
  for (const name of readdirSync(from)) {
    const source = await openFile(join(from, name), 'r');
    const target = await openFile(join(to, name), 'w');
    const hash = createHash('sha256');
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, MB);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      await target.write(buffer, 0, bytesRead);
    }
    hash.digest();
    await target.sync();
    await Promise.all([source.close(), target.close()]);
  }
}

/** Commits until `isOver`; the waits of all of them, in milliseconds. */
async function commits(repository, isOver) {
  const waits = [];
  for (let n = 0; !isOver(); n++) {
    const start = performance.now();
    await repository.add([quad(iri(`urn:c${waits.length}`), iri('urn:p'), literal(String(n)))]);
    waits.push(performance.now() - start);
    // As with commits of clients, other work has its turn between two of them.
    await setImmediate();
  }
  return waits.toSorted((a, b) => b - a);
}

const db = await open(at('store'), { durability: 'process' });
try {
  const repository = await db.repository('bench/backup', { create: true });
  await repository.load(document(), { format: 'application/n-triples' });
  await db.backup(at('warm-up'));
  const runs = [];
  for (let run = 0; run < 3; run++) {
    rmSync(at('copy'), { recursive: true, force: true });
    rmSync(at('backup'), { recursive: true, force: true });
    const backup = await timed(() => db.backup(at('backup')));
    mkdirSync(at('copy'));
    const copy = await timed(() => copyFiles(join(at('backup'), 'segments'), at('copy')));
    runs.push({ backup, copy, ratio: backup.ms / copy.ms });
  }
  const { backup, copy, ratio } = runs.toSorted((a, b) => a.ratio - b.ratio)[1];
  const full = backup.result.bytesWritten;
  console.log(
    `full backup: ${(full / MB).toFixed(1)} MB in ${backup.ms.toFixed(0)} ms; reading, hashing, writing and syncing the same bytes: ${copy.ms.toFixed(0)} ms; ratio ${ratio.toFixed(2)} (median of ${runs.map((run) => run.ratio.toFixed(2)).join(', ')}; caches ${backup.isCold ? 'cold' : 'warm'})`,
  );
  for (let n = 0; n < 1000; n++) await repository.add([quad(iri(`urn:new${n}`), iri('urn:p'), literal(`new ${n}`))]);
  const { bytesWritten } = await db.backup(at('backup'));
  console.log(
    `increment after 1,000 commits: ${(bytesWritten / MB).toFixed(2)} MB, ${((100 * bytesWritten) / full).toFixed(2)} % of the full backup`,
  );
  // The same commits twice: flushes and merges of what was committed come in both.
  let over = false;
  cold();
  const start = performance.now();
  const making = db.backup(at('beside')).finally(() => (over = true));
  const beside = await commits(repository, () => over);
  await making;
  const backupMs = performance.now() - start;
  let left = beside.length;
  const alone = await commits(repository, () => left-- === 0);
  const shown = (waits) =>
    `longest ${waits
      .slice(0, 3)
      .map((ms) => ms.toFixed(1))
      .join(', ')} ms, in all ${waits.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms`;
  console.log(
    `${beside.length} commits beside a backup of ${backupMs.toFixed(0)} ms: ${shown(beside)}; as many alone: ${shown(alone)}`,
  );
} finally {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
}
