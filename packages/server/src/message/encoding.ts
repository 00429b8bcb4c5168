/** Percent-encoding that is no UTF-8 is refused. A decoder would put U+FFFD in its place, and that would be stored. */
import { HttpError } from '../http/index.js';

const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/** A percent sign that begins no code stands for itself, as in forms of `curl --data`. */
export function requireEncoding(text: string, what: string): void {
  if (!text.includes('%')) return;
  for (const [codes] of text.matchAll(ENCODED)) if (!isUtf8(codes)) throw notUtf8(codes, what);
}

/** In a path, a percent sign always begins a code. */
export function requirePathEncoding(path: string): void {
  if (!path.includes('%')) return;
  const wrong = /%(?![0-9a-f]{2}).{0,2}/is.exec(path);
  if (wrong !== null) throw notUtf8(wrong[0], 'the path');
  requireEncoding(path, 'the path');
}

function isUtf8(codes: string): boolean {
  try {
    decodeURIComponent(codes);
    return true;
  } catch {
    return false;
  }
}

const notUtf8 = (codes: string, what: string): HttpError =>
  new HttpError('INVALID_ENCODING', `${what} is not percent-encoded UTF-8: ${codes.slice(0, 60)}`);
