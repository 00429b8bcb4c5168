/**
 * Copies the branches of a repository: the lines whose entries can all be read and whose beginning is kept. Their keys
 * and values stay the same.
 */
import { CorruptionError } from '@quadrille/model';
import { clipCopies } from '../branch/copied-revisions.js';
import { decodeBranch, decodeLine, MAIN_LINE, termMarkOfLines } from '../timeline/line-record.js';
import { readU32, Tag } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { decodeHead } from '../revision/record.js';
import { attempt, keysIn, remnantOf, remnantsIn } from './remains.js';
import type { Problems } from './report.js';

/** Lowest id of a term that no line needs; 0 if the lines cannot be read. */
export async function markOfBranches(from: Keyspace): Promise<number> {
  const read = await attempt(() => termMarkOfLines(from));
  return 'result' in read ? read.result : 0;
}

/** Copies what can be kept where `main` ends with revision `last`. Tells what cannot. */
export async function copyLines(from: Keyspace, to: Keyspace, last: number, problems: Problems): Promise<void> {
  const copy = new LinesCopy(from, to, new BatchWriter(to), last, problems);
  await copy.lines();
  await copy.names();
  await copy.ids();
}

class LinesCopy {
  /** The newest revisions of the lines that are kept. */
  readonly #kept: Map<number, number>;

  constructor(
    private readonly from: Keyspace,
    private readonly to: Keyspace,
    private readonly batch: BatchWriter,
    last: number,
    private readonly problems: Problems,
  ) {
    this.#kept = new Map([[MAIN_LINE, last]]);
  }

  async lines(): Promise<void> {
    const { from } = this;
    for await (const { key, value, problem } of remnantsIn(from.engine, from.tagRange(Tag.line))) {
      const line = readU32(key, from.tagEnd);
      if (problem !== undefined) this.problems.lost(problem, `${from.name} line ${line}`);
      if (value === undefined) continue;
      const { base, fork } = decodeLine(value);
      if (fork > (this.#kept.get(base) ?? 0)) {
        this.#lost(`it begins with revision ${fork} of line ${base}, which is lost`, `line ${line}`);
        continue;
      }
      const head = await this.#data(new LineKeyspace(from, from, line, fork));
      if (head === undefined) continue;
      this.#kept.set(line, head);
      await this.#put(key, value);
    }
    await this.batch.flush();
  }

  #lost(message: string, where: string): void {
    this.problems.lost(new CorruptionError('LOG_BROKEN', message), `${this.from.name} ${where}`);
  }

  // Copies the data of a line. Returns the number of its head, or `undefined` if not all of it can be read.
  async #data(line: LineKeyspace): Promise<number | undefined> {
    const { engine } = line;
    for await (const key of keysIn(engine, line.everything)) {
      const { problem } = await remnantOf(engine, key);
      if (problem === undefined) continue;
      this.problems.lost(problem, `${line.title}: none of it can be kept`);
      return undefined;
    }
    const head = await line.get(Tag.head);
    if (head === undefined) {
      this.#lost('its head is missing', `line ${line.line}`);
      return undefined;
    }
    for await (const { key, value } of remnantsIn(engine, line.everything)) if (value) await this.#put(key, value);
    return decodeHead(head).number;
  }

  async names(): Promise<void> {
    const { from } = this;
    for await (const { key, value, problem } of remnantsIn(from.engine, from.tagRange(Tag.branch))) {
      const where = `branch ${new TextDecoder().decode(key.subarray(from.tagEnd))}`;
      if (problem !== undefined) this.problems.lost(problem, `${from.name} ${where}`);
      if (value === undefined) continue;
      if (this.#kept.has(decodeBranch(value).line)) await this.#put(key, value);
      else this.#lost('its revisions are lost', where);
    }
    await this.batch.flush();
  }

  async ids(): Promise<void> {
    const { from } = this;
    for await (const { key, value } of remnantsIn(from.engine, from.tagRange(Tag.revisionId))) {
      if (value !== undefined) await this.#put(key, value);
    }
    for await (const { key, value } of remnantsIn(from.engine, from.tagRange(Tag.copied)))
      if (value !== undefined) await this.#put(key, value);
    await this.batch.flush();
    await clipCopies(this.to, this.#kept);
  }

  async #put(key: Uint8Array, value: Uint8Array): Promise<void> {
    this.batch.put(key, value);
    if (this.batch.full) await this.batch.send();
  }
}
