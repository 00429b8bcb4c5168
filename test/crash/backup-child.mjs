/**
 * The process that gets killed: makes a backup of a store, or a store of a backup, and kills itself at a given write. Half of the bytes of
 * that write are written. Ends with 0 if it comes to its end.
 *
 * node backup-child.mjs backup <store> <place> <number of the write, 0: none>
 * node backup-child.mjs restore <place> <new store> <number of the write>
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [mode, from, to, number] = process.argv.slice(2);
const fatal = Number(number);
let counting = false;
let writes = 0;

const isDue = () => counting && ++writes === fatal;
const die = () => process.kill(process.pid, 'SIGKILL');

// What changes files, of Node.js. What LevelDB itself writes is not seen.
for (const name of ['rename', 'rm', 'mkdir', 'open', 'unlink', 'link', 'writeFile', 'truncate']) {
  const real = fs.promises[name];
  fs.promises[name] = (...args) => {
    if ((name !== 'open' || args[1] !== 'r') && isDue()) die();
    return real(...args);
  };
}
const probe = await fs.promises.open(import.meta.filename, 'r');
const handles = Object.getPrototypeOf(probe);
await probe.close();
for (const name of ['write', 'writeFile', 'sync', 'datasync', 'truncate']) {
  const real = handles[name];
  handles[name] = async function (...args) {
    if (isDue()) {
      const [data] = args;
      if (name.startsWith('write')) await real.call(this, data.slice(0, Math.floor(data.length / 2)));
      die();
    }
    return real.apply(this, args);
  };
}
for (const name of [
  'writeSync',
  'fsyncSync',
  'fdatasyncSync',
  'openSync',
  'renameSync',
  'unlinkSync',
  'ftruncateSync',
]) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (isDue()) die();
    return real(...args);
  };
}
syncBuiltinESMExports();

const { blankNode, iri, literal, open, quad, restore } = await import('../../packages/quadrille/dist/index.js');
if (mode === 'restore') {
  counting = true;
  await restore(from, to, { to: 'HEAD~2' });
} else {
  const db = await open(from);
  const repository = await db.repository('crash/backup');
  // Something new for every backup, also in the middle of it.
  const some = (n) =>
    Array.from({ length: n }, (_, i) => quad(blankNode(), iri('urn:p'), literal(`${process.pid} ${i}`)));
  await repository.add(some(200));
  counting = true;
  let adding;
  await db.backup(to, { onProgress: () => (adding ??= repository.add(some(3))) });
  counting = false;
  await adding;
  await db.close();
}
process.stdout.write(`${writes}`);
