/** gzip through the streams of the web platform, which Node.js and browsers share. */
import { ParseError } from '@quadrille/model';

/** Whether a document starts as a gzip file does. Needs its first two bytes. */
export function isGzip(firstBytes: Uint8Array): boolean {
  return firstBytes.length >= 2 && firstBytes[0] === 0x1f && firstBytes[1] === 0x8b;
}
