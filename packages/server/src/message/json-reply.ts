/** Replies in JSON. Lists and maps are written item by item, since clients decide how long they are. */
import { paced } from '@quadrille/model';
import { Reply } from './reply.js';
import { textBody } from './text-body.js';

type Fields = Readonly<Record<string, string>>;
type Items<T> = Iterable<T> | AsyncIterable<T>;

const JSON_FIELDS: Fields = { 'Content-Type': 'application/json; charset=utf-8' };

export function jsonReply(value: unknown, headers: Fields = {}, status = 200): Reply {
  return new Reply(`${JSON.stringify(value)}\n`, { status, headers: { ...JSON_FIELDS, ...headers } });
}

export async function jsonListReply(items: Items<unknown>, headers: Fields = {}): Promise<Reply> {
  return new Reply(await textBody(jsonArray(items)), { headers: { ...JSON_FIELDS, ...headers } });
}

/** An object with these members. */
export async function jsonMapReply(members: Items<readonly [string, unknown]>, headers: Fields = {}): Promise<Reply> {
  return new Reply(await textBody(jsonObject(members)), { headers: { ...JSON_FIELDS, ...headers } });
}

/** A JSON array with an item a line. */
export const jsonArray = (items: Items<unknown>): AsyncGenerator<string> =>
  jsonLines('[', ']', items, (item) => JSON.stringify(item));

const jsonObject = (members: Items<readonly [string, unknown]>): AsyncGenerator<string> =>
  jsonLines('{', '}', members, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);

async function* jsonLines<T>(
  open: string,
  close: string,
  items: Items<T>,
  textOf: (item: T) => string,
): AsyncGenerator<string> {
  let before = open;
  for await (const item of paced(items)) {
    yield `${before}\n${textOf(item)}`;
    before = ',';
  }
  yield before === open ? `${open}${close}\n` : `\n${close}\n`;
}
