/**
 * The directories that this process has open for reading. LMDB opens a file only once in a process, so a writer would
 * get the reader's environment, which cannot write. The registry is on `globalThis`, so that two copies of this
 * module share it.
 */

const REGISTRY = Symbol.for('quadrille.lmdb-readers');

export function addReader(directory: string): void {
  const readers = counts();
  readers.set(directory, (readers.get(directory) ?? 0) + 1);
}

export function removeReader(directory: string): void {
  const readers = counts();
  const left = (readers.get(directory) ?? 0) - 1;
  if (left > 0) readers.set(directory, left);
  else readers.delete(directory);
}

export function hasReaders(directory: string): boolean {
  return counts().has(directory);
}

function counts(): Map<string, number> {
  const global = globalThis as { [REGISTRY]?: Map<string, number> };
  return (global[REGISTRY] ??= new Map());
}
