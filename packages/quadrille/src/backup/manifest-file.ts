/** The manifest of a backup as text: JSON with the SHA-256 of its content. */
import { createHash } from 'node:crypto';
import { StateError } from '@quadrille/model';
import { checkManifest, damagedBackup } from '@quadrille/core/backup';
import type { Manifest } from '@quadrille/core/backup';

const KIND = 'quadrille-backup';

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Text of any content of a backup, with its hash. */
export function sealedText(content: unknown): string {
  const text = JSON.stringify(content);
  return `{"kind":"${KIND}","sha256":"${sha256(text)}","content":${text}}\n`;
}

/**
 * The content of a text. @throws StateError `NOT_A_BACKUP` for other JSON; CorruptionError `BACKUP_DAMAGED` for anything else and
 * where the hash differs
 */
export function openText(text: string, where: string): unknown {
  let sealed: { readonly kind?: unknown; readonly sha256?: unknown; readonly content?: unknown } | null;
  try {
    sealed = JSON.parse(text) as typeof sealed;
  } catch (cause) {
    throw damagedBackup(`${where} is cut off or is no JSON`, { cause });
  }
  if (sealed === null || sealed.kind !== KIND) throw notABackup(where);
  if (sha256(JSON.stringify(sealed.content ?? null)) !== sealed.sha256)
    throw damagedBackup(`${where} differs from what was written`);
  return sealed.content;
}

export const openManifest = (text: string, where: string): Manifest => checkManifest(openText(text, where));

export const notABackup = (where: string): StateError =>
  new StateError('NOT_A_BACKUP', `${where} is not a backup of Quadrille. Nothing was changed.`, {
    details: { path: where },
  });
