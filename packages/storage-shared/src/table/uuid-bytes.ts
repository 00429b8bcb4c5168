/** UUIDs as 16 bytes, and as text in lower case. */

import { toHex, type Bytes } from '@quadrille/storage';

export function uuidBytes(text: string): Bytes {
  const hex = text.replaceAll('-', '');
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 16; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function uuidText(bytes: Bytes): string {
  const hex = toHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
