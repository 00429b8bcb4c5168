/**
 * Tools that the process runs which holds a store, for a session in another process: one request in the place of one for each read and
 * each step of a change.
 */
import { QuadrilleError } from '@quadrille/model';
import type { Database, Revision } from 'quadrille';
import type { RecordChange } from 'quadrille/host';
import { StoreDoor } from '../door.js';
import type { ForwardedAnswer, ForwardedToStore } from './forwarded-calls.js';
import { MemoryWriter } from '../memory/write.js';
import { type Made, madeBy } from '../origin.js';
import { Cursors } from '../page.js';
import { ToolError } from '../tool-error.js';
import type { Tool, ToolContext } from '../tool.js';
import type { ToolResult } from '../tool-result.js';
import { TOOLS, workOf } from '../tools.js';

/** Whether a holder may run it: it reads, or its change is one commit, which is found again where the answer was lost. */
export const isForwarded = ({ effect, isOneChange = false }: Tool): boolean => effect === 'reads' || isOneChange;

/** By their databases: the numbers that it gives grow. */
const writers = new WeakMap<Database, MemoryWriter>();

function writerOf(database: Database): MemoryWriter {
  let writer = writers.get(database);
  if (writer === undefined) writers.set(database, (writer = new MemoryWriter()));
  return writer;
}

/**
 * Runs a tool for a session elsewhere.
 * @param keeps records that are written with the revision, which has this answer
 */
export async function runForwarded(
  database: Database,
  { tool: name, input, session, names }: ForwardedToStore,
  signal: AbortSignal,
  keeps?: (revision: Revision, answer: ForwardedAnswer) => readonly RecordChange[],
): Promise<ForwardedAnswer> {
  const door = new StoreDoor(database, names.hasMemory, names);
  const made: Made[] = [];
  const context: ToolContext = {
    allowSecrets: session.allowSecrets,
    made,
    cursors: new Cursors(session.secret),
    writer: writerOf(database),
  };
  try {
    const tool = TOOLS.find((each) => each.name === name && isForwarded(each));
    if (tool === undefined) throw new ToolError(`the process that holds the store has no tool ${name}`);
    const work = workOf(tool, input);
    const { access } = work;
    const commit = madeBy(session);
    const records = keeps && {
      records: (revision: Revision, repository: string, result: ToolResult) =>
        keeps(revision, { result, made: [{ repository, id: revision.id }] }),
    };
    const result = await door.run(work, signal, (limits, ended) =>
      tool.run(input as never, { context, door, access, limits, signal: ended, commit, ...records }),
    );
    return { result, made };
  } catch (error) {
    if (!(error instanceof QuadrilleError)) throw error;
    return { error: door.told(error) };
  }
}
