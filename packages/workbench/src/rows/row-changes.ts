/** How the answer of a query changed between two revisions: counted by the server where it can, and without holding more rows than are shown. */
import { asProblem } from '../api/errors.js';
import { ask } from '../api/sparql.js';
import { compareAnswers } from './compare.js';

export interface RowChanges {
  readonly columns: readonly string[];
  /** The first rows that were added, and those that were removed. */
  readonly added: readonly (readonly string[])[];
  readonly removed: readonly (readonly string[])[];
  /** How many there are in all. */
  readonly addedRows: number;
  readonly removedRows: number;
}

const TSV = 'text/tab-separated-values';
/** The server compares the rows of a SELECT. For other queries the page reads both answers, up to this many bytes each. */
const MOST_BYTES = 64 * 1024 * 1024;

export async function readRowChanges(
  repository: string,
  query: string,
  from: string,
  to: string,
  most: number,
  signal: AbortSignal,
): Promise<RowChanges> {
  const compared = await ask(repository, query, { at: to, compare: from, accept: TSV }, signal).catch(
    (error: unknown) => {
      if (asProblem(error).status !== 400) throw error;
      return undefined;
    },
  );
  if (compared !== undefined) return countChanges(compared, most);
  const read = async (at: string): Promise<string> =>
    beginningOf(await ask(repository, query, { at, accept: TSV }, signal));
  const [before, after] = await Promise.all([read(from), read(to)]);
  const { columns, added, removed } = compareAnswers(before, after);
  return {
    columns,
    added: added.slice(0, most),
    removed: removed.slice(0, most),
    addedRows: added.length,
    removedRows: removed.length,
  };
}

/** @param response rows with a last column that says `added` or `removed` */
async function countChanges(response: Response, most: number): Promise<RowChanges> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const lists = { added: [] as string[][], removed: [] as string[][] };
  const counts = { added: 0, removed: 0 };
  let columns: string[] | undefined;
  const take = (line: string): void => {
    const cells = line.replace(/\r$/, '').split('\t');
    const last = cells.pop() ?? '';
    if (columns === undefined) {
      columns = cells.map((name) => name.replace(/^\?/, ''));
      return;
    }
    const kind = last.includes('added') ? 'added' : 'removed';
    if (counts[kind]++ < most) lists[kind].push(cells);
  };
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) take(line);
  }
  if (rest !== '') take(rest);
  return { columns: columns ?? [], ...lists, addedRows: counts.added, removedRows: counts.removed };
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      return text.slice(0, text.lastIndexOf('\n') + 1);
    }
    text += decoder.decode(value, { stream: true });
  }
}
