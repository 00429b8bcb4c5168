/** Verifies a repository with all its lines: the names of branches, where lines begin, and on which lines revisions are. */
import { QuadrilleError } from '@quadrille/model';
import { Tag } from '../format/layout.js';
import { revisionIdKey } from '../keyspace/line-keyspace.js';
import { equalBytes } from '../format/byte-codec.js';
import type { VerifyProblem, VerifyReport } from './verify.js';
import { verifyLine } from './verify.js';
import type { RepositoryHandle } from '../open/handle.js';
import { readRecord, readRecords } from '../revision/log.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { copiedRanges, idAt, positionsOf } from '../branch/copied-revisions.js';
import { decodePositions, MAIN_LINE } from '../timeline/line-record.js';
import type { LinePosition } from '../timeline/line-record.js';
import type { Lines, OpenLine } from '../branch/lines.js';

export async function verifyLines(lines: Lines<OpenLine>): Promise<VerifyReport> {
  const { handle } = lines;
  const main = await verifyLine(handle.timeline);
  const numbers = await lines.numbers();
  if (numbers.length === 0 && (await lines.branches()).size === 0) return main;
  const verification = new LinesVerification(lines, numbers);
  await verification.copies(MAIN_LINE);
  for (const line of numbers) await verification.line(line);
  await verification.branches();
  await verification.index();
  const problems = [...main.problems, ...verification.problems];
  return { ok: problems.length === 0, checked: sum(main.checked, verification.checked), problems };
}

class LinesVerification {
  readonly problems: VerifyProblem[] = [];
  checked: Record<string, number> = { lines: 0, branches: 0 };

  constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly numbers: readonly number[],
  ) {}

  #problem(message: string, where: string): void {
    const { name } = this.lines.handle.keyspace;
    this.problems.push({ code: 'INDEX_DISAGREES', message, where: `${name} ${where}` });
  }

  async #attempt(where: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      // A deleted repository or a closed store ends the whole verification.
      this.lines.handle.check();
      if (!(error instanceof QuadrilleError)) throw error;
      const { name } = this.lines.handle.keyspace;
      this.problems.push({ code: error.code, message: error.message, where: `${name} ${where}` });
    }
  }

  async line(line: number): Promise<void> {
    await this.#attempt(`line ${line}`, async () => {
      const handle = await this.lines.hold(line);
      try {
        const report = await verifyLine(handle.timeline);
        this.problems.push(...report.problems);
        this.checked = sum(this.checked, report.checked);
        await this.#fork(handle, line);
        await this.#ids(handle, line);
        await this.copies(line);
        this.checked['lines']!++;
      } finally {
        handle.users.leave();
      }
    });
  }

  async #fork({ keyspace }: RepositoryHandle, line: number): Promise<void> {
    const { fork, forkId } = await this.lines.record(line);
    const { id } = await readRecord(keyspace, fork);
    if (!equalBytes(id, forkId)) this.#problem(`line ${line} begins with another revision ${fork}`, `line ${line}`);
  }

  async #ids({ timeline, keyspace }: RepositoryHandle, line: number): Promise<void> {
    for await (const { id, number } of readRecords(keyspace, timeline.firstOwn, timeline.published.number)) {
      const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
      const isHere = (place: LinePosition): boolean => place.line === line && place.number === number;
      if (stored === undefined || !decodePositions(stored).some(isHere))
        this.#problem(`the index of ids does not have revision ${number}`, `line ${line}`);
    }
  }

  /** Whether the revisions that a line has taken over are those of the line that has made them. */
  async copies(line: number): Promise<void> {
    await this.#attempt(`line ${line}`, async () => {
      const keyspace = await this.lines.keyspace(line);
      for (const { first, last, origin } of await copiedRanges(keyspace)) {
        const made = await this.lines.keyspace(origin);
        const end = (await TrimmedNumbers.of(keyspace)).previous(last);
        for await (const { id, number } of readRecords(keyspace, first, end, true)) {
          const other = await idAt(made, number);
          const [places] = await positionsOf(keyspace, [id]);
          const isKnown = places!.some((place) => place.line === line && place.number === number);
          if ((other !== undefined && !equalBytes(other, id)) || !isKnown)
            this.#problem(`revision ${number} is not the one of line ${origin} that was taken over`, `line ${line}`);
        }
      }
    });
  }

  async branches(): Promise<void> {
    await this.#attempt('branches', async () => {
      for (const [name, { line }] of await this.lines.branches()) {
        this.checked['branches']!++;
        if (!this.numbers.includes(line) && !(await this.lines.numbers()).includes(line))
          this.#problem(`the branch is on line ${line}, which does not exist`, `branch ${name}`);
      }
    });
  }

  // Revisions that were made meanwhile may have entries too.
  async index(): Promise<void> {
    await this.#attempt('ids of revisions', async () => {
      for await (const { rest, value } of this.lines.handle.keyspace.entries(Tag.revisionId)) {
        for (const { line, number } of decodePositions(value)) {
          const keyspace = await this.lines.keyspace(line);
          const id = await idAt(keyspace, number);
          if (id !== undefined && !equalBytes(id, rest))
            this.#problem(`an id leads to revision ${number}, which has another one`, `line ${line}`);
        }
      }
    });
  }
}

function sum(
  first: Readonly<Record<string, number>>,
  second: Readonly<Record<string, number>>,
): Record<string, number> {
  const total = { ...first };
  for (const [what, count] of Object.entries(second)) total[what] = (total[what] ?? 0) + count;
  return total;
}
