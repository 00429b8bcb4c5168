/**
 * Lets a process time one query after the other. A query that takes too long ends the process, and a new one
 * continues.
 */
import type { ChildProcess } from 'node:child_process';
import { spreadOf } from '../report/statistics.js';
import type { Figure, Figures } from '../workload.js';
import { figure } from '../workload.js';
import type { PreparedQuery } from './query-class.js';
import { figureName } from './query-class.js';
import type { QueryReply } from './serve-queries.js';

/** Longest time of one run of one text, in milliseconds. */
const LIMIT_MS = 60_000;

export interface QueryProcesses {
  /** Starts a process that serves queries. */
  start(): ChildProcess;
  /** Called for each query without a figure, with the reason. */
  failed(query: PreparedQuery, reason: string): void;
  /** Called with each figure as soon as it is there. */
  measured?(query: PreparedQuery, figure: Figure): void;
  /** Longest time of one run of one text, in milliseconds. Default 60,000. */
  readonly limitMs?: number;
}

export async function measureQueries(queries: readonly PreparedQuery[], processes: QueryProcesses): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  let child: ChildProcess | undefined;
  for (const query of queries) {
    child = child?.connected === true ? child : await started(processes.start());
    const found = await ask(child, query, processes.limitMs ?? LIMIT_MS);
    if (typeof found === 'string') processes.failed(query, found);
    else {
      figures[figureName(query)] = found;
      processes.measured?.(query, found);
    }
  }
  await ended(child);
  return figures;
}

async function started(child: ChildProcess): Promise<ChildProcess> {
  const reply = await replyOf(child);
  if (reply?.type === 'ready') return child;
  throw new Error(reply?.type === 'failed' ? reply.message : 'the process that answers queries did not start');
}

/** The figure, or the reason why there is none. */
async function ask(child: ChildProcess, query: PreparedQuery, limitMs: number): Promise<Figure | string> {
  let late = false;
  const kill = (): void => {
    late = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(kill, limitMs);
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(kill, limitMs);
  };
  child.send(query);
  const reply = await replyOf(child, again);
  clearTimeout(timer);
  if (late) return { ...figure(limitMs, 'ms'), atLeast: true };
  if (reply?.type === 'failed') return reply.message;
  if (reply?.type !== 'times') return 'its process ended';
  const { samples, answers } = reply.times;
  return { ...figure(spreadOf(samples).median, 'ms'), answers, meters: reply.meters };
}

/** The next message except `beginning`; `undefined` if the process ends first. */
function replyOf(child: ChildProcess, beginning: () => void = () => {}): Promise<QueryReply | undefined> {
  return new Promise((resolve) => {
    const settle = (reply?: QueryReply): void => {
      child.off('message', hear);
      child.off('exit', gone);
      resolve(reply);
    };
    const gone = (): void => settle();
    const hear = (message: unknown): void => {
      const reply = message as QueryReply;
      if (reply.type === 'beginning') beginning();
      else settle(reply);
    };
    child.on('message', hear);
    child.once('exit', gone);
  });
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.disconnect();
  await exit;
}
