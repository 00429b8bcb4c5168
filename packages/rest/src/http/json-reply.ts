/** Replies in JSON. */
import { Reply } from './reply.js';
export function jsonReply(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return new Reply(`${JSON.stringify(value)}\n`, {
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}
