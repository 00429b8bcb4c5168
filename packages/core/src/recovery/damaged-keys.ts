/** Finds out from the reported damages whether keys may be missing. */
import { compareBytes } from '@quadrille/storage';
import type { Damage, KeySpan } from '@quadrille/storage';
import { Area, readU32, Tag } from '../format/layout.js';

/** Whether keys in a span may be missing without a trace. */
export const mayMiss = (damages: readonly Damage[], { from, to }: KeySpan): boolean =>
  damages.some(({ missing }) => {
    if (missing === undefined || missing === 'anywhere') return missing !== undefined;
    return compareBytes(missing.from, to) <= 0 && compareBytes(from, missing.to) <= 0;
  });

/**
 * Whether data may be lost by a damage without another message. Gaps of the log and of the terms are found when they
 * are read. The rest of a repository is rebuilt, except its prefixes, tags, settings, remotes and signatures.
 */
export function losesUnseen({ missing }: Damage): boolean {
  if (missing === undefined || missing === 'anywhere') return missing !== undefined;
  const { from, to } = missing;
  if ((from[0] ?? 0) < Area.data) return true;
  if (from[0]! > Area.data) return false;
  // The span covers several repositories. Prefixes, tags, settings, remotes and signatures are near the end of the first one.
  if (to[0]! > Area.data || to.length < FIXED_BYTES || from.length < FIXED_BYTES || readU32(from, 1) !== readU32(to, 1))
    return (from[TAG_AT] ?? 0) <= Tag.signature;
  return from[TAG_AT]! <= Tag.signature && to[TAG_AT]! >= Tag.namespace;
}

/** Position of the tag in a key of a repository. */
const TAG_AT = 5;
const FIXED_BYTES = 6;
