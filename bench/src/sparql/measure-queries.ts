/** Has a process time one query after the other; one that takes too long ends the process, and a new one goes on. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spreadOf } from '../statistics.js';
import type { Context, Figure, Figures } from '../workload.js';
import { figure } from '../workload.js';
import type { PreparedQuery } from './query-class.js';
import { figureName } from './query-class.js';
import type { QueryReply } from './query-process.js';

const PROCESS = fileURLToPath(new URL('./query-process.js', import.meta.url));
/** Of one run of one text. */
const LIMIT_MS = 60_000;

export async function measureQueries(
  backend: string,
  queries: readonly PreparedQuery[],
  context: Context,
): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  let child: ChildProcess | undefined;
  for (const query of queries) {
    child = child?.connected === true ? child : await start(backend, context);
    const found = await ask(child, query);
    if (typeof found === 'string') console.error(`${backend}, ${query.name}: ${found}`);
    else figures[figureName(query)] = found;
  }
  await ended(child);
  return figures;
}

async function start(backend: string, context: Context): Promise<ChildProcess> {
  const child = fork(PROCESS, [JSON.stringify({ backend, context })], { execArgv: [] });
  const outcome = await replyOf(child);
  if (outcome === undefined) throw new Error(`${backend}: the process that answers queries did not start`);
  return child;
}

/** The figure, or why there is none. */
async function ask(child: ChildProcess, query: PreparedQuery): Promise<Figure | string> {
  let late = false;
  const kill = (): void => {
    late = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(kill, LIMIT_MS);
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(kill, LIMIT_MS);
  };
  child.send(query);
  const reply = await replyOf(child, again);
  clearTimeout(timer);
  if (late) return { ...figure(LIMIT_MS, 'ms'), atLeast: true };
  if (reply?.type === 'failed') return reply.message;
  if (reply?.type !== 'times') return 'its process ended';
  const { samples, answers } = reply.times;
  return { ...figure(spreadOf(samples).median, 'ms'), answers, meters: reply.meters };
}

/** The next message that is no `beginning`; `undefined` if the process ends first. */
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
