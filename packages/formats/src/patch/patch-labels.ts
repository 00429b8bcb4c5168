/**
 * Labels of blank nodes within `<_:…>`, which may have characters that N-Quads does not allow. Such a label is stored as hexadecimal
 * digits behind a prefix, so that it is the same node in every patch.
 */
import { isBlankNodeLabel } from '@quadrille/model';

const ENCODED = 'patch-';
const ENCODED_LABEL = /^patch-(?:[0-9a-f]{2})+$/;

/** The label under which the node of a label is stored: the label itself, if N-Quads allows it. */
export function storedLabel(label: string): string {
  return isBlankNodeLabel(label) ? label : ENCODED + hexOf(new TextEncoder().encode(label));
}

/** The label that a patch has for a stored label. The inverse of {@link storedLabel}. */
export function patchLabel(stored: string): string {
  if (!ENCODED_LABEL.test(stored)) return stored;
  const bytes = Uint8Array.from(stored.slice(ENCODED.length).match(/../g)!, (pair) => Number.parseInt(pair, 16));
  const label = decodeStrictly(bytes);
  // Any other label of this form is a label of its own.
  return label !== undefined && isPatchLabel(label) && !isBlankNodeLabel(label) ? label : stored;
}

function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** Whether a label can stand within `<_:…>`. */
function isPatchLabel(label: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return label !== '' && !/[\u0000-\u0020<>"{}|^`\\\u007f]/.test(label);
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
