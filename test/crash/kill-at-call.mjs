/**
 * Ends this process with SIGKILL at a call that changes files: before it is made, or after a part of its bytes was written. Loaded before the packages, whose
 * imports see the calls of here. What LevelDB and LMDB write themselves is not seen; `killAtCall` is for the calls of a driver.
 *
 * QUADRILLE_KILL_AT: number of the call, from 1. Absent: none.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const fatal = Number(process.env['QUADRILLE_KILL_AT'] ?? 0);
let calls = 0;
/** Writes that do not count. */
export const plainWriteSync = fs.writeSync;

/** Counts a call; does not return from the one that is fatal. @param half does a part of it */
export function killAtCall(half = () => undefined) {
  if (fatal === 0 || ++calls !== fatal) return;
  half();
  process.kill(process.pid, 'SIGKILL');
}

if (fatal > 0) {
  for (const name of ['writeSync', 'write', 'fdatasync', 'fsync', 'ftruncate', 'ftruncateSync']) {
    const real = fs[name];
    fs[name] = (...args) => {
      // Descriptor, bytes, offset, length, position.
      const [descriptor, bytes, offset = 0, length = bytes?.length, position] = args;
      killAtCall(() => {
        if (name.startsWith('write') && fatal % 2 === 0 && length > 1)
          plainWriteSync(descriptor, bytes, offset, length >>> 1, position);
      });
      return real(...args);
    };
  }
  for (const name of ['rename', 'rm', 'mkdir', 'unlink', 'symlink']) {
    const real = fs.promises[name];
    fs.promises[name] = (...args) => {
      killAtCall();
      return real(...args);
    };
  }
  const probe = await fs.promises.open(import.meta.filename, 'r');
  const handles = Object.getPrototypeOf(probe);
  await probe.close();
  for (const name of ['write', 'writeFile', 'sync', 'datasync', 'truncate']) {
    const real = handles[name];
    handles[name] = function (...args) {
      killAtCall();
      return real.apply(this, args);
    };
  }
  syncBuiltinESMExports();
}
