// A storage backend of your own: everything in memory, every batch a line of a log. For small stores, and to begin from.
// The contract that it fulfils is StorageDriver in packages/storage/src/contract.ts; file-backend.test.ts proves it.
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { compareBytes, equalBytes, isInRange } from 'quadrille/storage';

const CHUNK = 500;
const NOTHING = new Uint8Array(0);

export class FileDriver {
  name = 'file';
  // What the backend can do is said as data: `quadrille` looks at it and never at the class.
  capabilities = { getSync: true, durable: true, sizeOnDisk: false, compact: false };
  /** Entries sorted by key. A write makes a new array, so that a reader of an old one sees one state. */
  #entries = [];
  #log;

  constructor(directory) {
    this.directory = directory;
  }

  get #path() {
    return join(this.directory, 'log.jsonl');
  }

  async open() {
    await mkdir(this.directory, { recursive: true });
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    // A crash cut off a line without its end: its write was never acknowledged.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) await truncate(this.#path, Buffer.byteLength(whole));
    this.#entries = [];
    for (const line of whole.split('\n').slice(0, -1)) this.#entries = apply(this.#entries, fromLine(line));
    this.#log = await open(this.#path, 'a');
  }

  async close() {
    await this.#log.close();
  }

  getSync(key) {
    const at = lowerBound(this.#entries, key);
    const found = this.#entries[at];
    return found !== undefined && equalBytes(found.key, key) ? found.value : undefined;
  }

  async get(key) {
    return this.getSync(key);
  }

  async getMany(keys) {
    return keys.map((key) => this.getSync(key));
  }

  /** In chunks, all of one state: the array that was there at the first one. */
  async *range({ gte, lt, reverse, limit }, { read }) {
    const from = gte === undefined ? 0 : lowerBound(this.#entries, gte);
    const to = lt === undefined ? this.#entries.length : lowerBound(this.#entries, lt);
    let rows = this.#entries.slice(from, to);
    if (reverse) rows.reverse();
    if (limit !== undefined) rows = rows.slice(0, limit);
    for (let at = 0; at < rows.length; at += CHUNK) {
      yield rows.slice(at, at + CHUNK).map(({ key, value }) => ({
        key: read === 'values' ? NOTHING : key,
        value: read === 'keys' ? NOTHING : value,
      }));
    }
  }

  /** Whole or not at all: a batch is one line, and counts when the line has its end. Never called twice at once. */
  async write(ops, { durable, precondition }) {
    if (precondition !== undefined && !equalBytes(this.getSync(precondition.key), precondition.value)) {
      return 'conflict';
    }
    // By way of the text, so that the caller may reuse its arrays.
    const line = toLine(ops);
    await this.#log.appendFile(`${line}\n`);
    if (durable) await this.#log.datasync();
    this.#entries = apply(this.#entries, fromLine(line));
    return 'ok';
  }

  async approximateSize(range) {
    const rows = this.#entries.filter(({ key }) => isInRange(key, range));
    return rows.reduce((bytes, { key, value }) => bytes + key.length + value.length, 0);
  }
}

/** For `quadrille bench --backends ./examples/file-backend.mjs`. */
export const openStorage = async (directory) => new FileDriver(directory);

/** The entries after a batch, as a new array. */
function apply(entries, ops) {
  const after = entries.slice();
  for (const op of ops) {
    const at = lowerBound(after, op.type === 'deleteRange' ? op.gte : op.key);
    const there = op.type !== 'deleteRange' && after[at] !== undefined && equalBytes(after[at].key, op.key);
    if (op.type === 'put') after.splice(at, there ? 1 : 0, { key: op.key, value: op.value });
    else if (op.type === 'delete') after.splice(at, there ? 1 : 0);
    else after.splice(at, lowerBound(after, op.lt) - at);
  }
  return after;
}

/** Index of the first entry whose key is not before `key`. */
function lowerBound(entries, key) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(entries[middle].key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const toLine = (ops) =>
  JSON.stringify(ops, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value));

const fromLine = (line) =>
  JSON.parse(line, (name, value) =>
    typeof value === 'string' && name !== 'type' ? new Uint8Array(Buffer.from(value, 'base64')) : value,
  );
