/** Which terms the lines of a repository need, as far as their heads tell. */
import { readU32, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import { readRecord } from '../revision/log.js';
import { decodeHead } from '../revision/record.js';
import { decodeLine } from './line-record.js';

/** Number of lines whose heads are read together. */
const AT_ONCE = 256;

/** Lowest id of a term that no revision of a line other than `main` uses. */
export async function termMarkOfLines(keyspace: Keyspace): Promise<number> {
  const lines: LineKeyspace[] = [];
  // Their bases do not matter: only their own keys are read.
  for await (const { rest, value } of keyspace.entries(Tag.line))
    lines.push(new LineKeyspace(keyspace, keyspace, readU32(rest, 0), decodeLine(value).fork));
  let mark = 0;
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE);
    const heads = await keyspace.engine.getMany(some.map((line) => line.key(Tag.head)));
    const numbers = heads.map((head) => (head === undefined ? 0 : decodeHead(head).number));
    const committed = some.flatMap((line, i) => (numbers[i]! > line.fork ? [{ line, number: numbers[i]! }] : []));
    for (const { line, number } of committed) mark = Math.max(mark, (await readRecord(line, number)).termMark);
  }
  return mark;
}
