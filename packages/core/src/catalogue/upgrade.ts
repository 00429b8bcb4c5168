/**
 * Raises the format of a store before the first commit of this version. It writes the marker first and the entry of the store
 * second. So a program that reads only earlier formats never meets an unreadable record, whenever the process dies. Each step can
 * be repeated.
 */
import { FORMAT_VERSION } from '../format/layout.js';
import type { Catalogue } from './catalogue.js';
import { newStoreEntryOp, storeEntryOp } from './catalogue.js';

/** The caller holds the lock of the catalogue. `onUpgrade` is called with the format of a store that has data. */
export async function upgradeStore(
  catalogue: Catalogue,
  onUpgrade: ((from: number) => void) | undefined,
): Promise<void> {
  const { engine } = catalogue;
  const entry = await catalogue.entry();
  if (entry !== undefined)
    onUpgrade?.(Math.max(engine.marker?.format ?? 0, Math.min(entry.format, FORMAT_VERSION - 1)));
  await engine.raiseFormat(FORMAT_VERSION);
  await catalogue.writeAlone([
    entry === undefined
      ? newStoreEntryOp(catalogue)
      : storeEntryOp(entry.nextRepository, entry.id ?? catalogue.newStoreId()),
  ]);
}
