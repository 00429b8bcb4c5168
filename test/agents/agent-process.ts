/** `quadrille mcp` as a process that gets random lines, and what is wrong with its answers. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Chance } from '../sparql-random/chance.js';
import { type Line, Messages } from './messages.js';

const BIN = join(import.meta.dirname, '../../packages/quadrille/bin/quadrille.js');
/** Longest text of a refusal. */
const ERROR_BYTES = 1024;
/** What nothing is answered by. */
const MOST_MS = 60_000;
/** Of JSON-RPC, but for that of an internal error. */
const CODES = new Set([-32_700, -32_600, -32_601, -32_602]);

interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: unknown }[];
    readonly structuredContent?: { readonly cursor?: unknown };
  };
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

export class AgentProcess {
  /** How often calls came to each end. */
  readonly outcomes = new Map<string, number>();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: string[] = [];
  readonly #closed: Promise<unknown>;
  #errors = '';
  #heard = (): void => undefined;

  constructor(store: string) {
    this.#child = spawn(process.execPath, [BIN, 'mcp', store, '--tools', 'memory,data,change']);
    this.#closed = once(this.#child, 'close').then(([code]: unknown[]) => {
      this.#heard();
      return code;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      // What is subscribed to has changed.
      if (isNotification(line)) return;
      this.#answers.push(line);
      this.#heard();
    });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
  }

  /** Sends so many random lines, one after the other. @throws Error where an answer is wrong */
  async run(number: number, lines: number): Promise<void> {
    const messages = new Messages(new Chance(0, number));
    for (let i = 0; i < lines; i++) {
      const line = messages.next();
      try {
        messages.heard(await this.#ask(line));
      } catch (error) {
        throw new Error(`${(error as Error).message} (line ${i}): ${line.text.slice(0, 2000)}`, { cause: error });
      }
    }
    const last: Line = { text: '{"jsonrpc":"2.0","id":"last","method":"ping"}', id: 'last', budget: 0 };
    await this.#ask(last);
  }

  /** Closes the input. @throws Error where it does not end with 0, or has told of an error */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const code = await this.#closed;
    if (code !== 0 || this.#errors !== '' || this.#answers.length > 0)
      throw new Error(`it ends with ${String(code)}: ${this.#errors}${this.#answers.join('\n').slice(0, 2000)}`);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #ask(line: Line): Promise<unknown> {
    this.#child.stdin.write(`${line.text}\n`);
    if (line.id === undefined) return undefined;
    const text = await this.#next();
    const answer = JSON.parse(text) as Answer;
    if (answer.jsonrpc !== '2.0' || answer.id !== line.id) throw new Error(`another answer: ${text.slice(0, 2000)}`);
    const wrong = wrongWith(line, answer);
    if (wrong !== undefined) throw new Error(`${wrong}: ${text.slice(0, 2000)}`);
    this.#count(answer);
    return answer.result?.structuredContent?.cursor;
  }

  async #next(): Promise<string> {
    if (this.#answers.length === 0) {
      const timer = setTimeout(() => this.#heard(), MOST_MS);
      await new Promise<void>((resolve) => (this.#heard = resolve));
      clearTimeout(timer);
      this.#heard = () => undefined;
    }
    const text = this.#answers.shift();
    if (text === undefined) throw new Error(`no answer: ${this.#errors}`);
    return text;
  }

  #count({ result, error }: Answer): void {
    const text = String(result?.content?.[0]?.text);
    const end =
      error === undefined ? (result?.isError === true ? text.slice(0, text.indexOf(':')) : 'done') : String(error.code);
    this.outcomes.set(end, (this.outcomes.get(end) ?? 0) + 1);
  }
}

/** Anything else that is no answer is a fault. */
function isNotification(line: string): boolean {
  try {
    const { id, jsonrpc, method } = JSON.parse(line) as Answer;
    return id === undefined && jsonrpc === '2.0' && method === 'notifications/resources/updated';
  } catch {
    return false;
  }
}

function wrongWith({ budget }: Line, { result, error }: Answer): string | undefined {
  if ((result === undefined) === (error === undefined)) return 'neither a result nor an error, or both';
  if (error !== undefined) {
    if (!CODES.has(error.code as number)) return 'the code of an internal error, or none';
    return typeof error.message !== 'string' || Buffer.byteLength(error.message) > ERROR_BYTES
      ? 'no message, or a long one'
      : undefined;
  }
  if (budget === 0) return undefined;
  const text = result!.content?.[0]?.text;
  if (typeof text !== 'string') return 'no text';
  const isError = result!.isError === true;
  if (isError && !/^[A-Z_]+: ./s.test(text)) return 'a refusal without a code';
  if (text.startsWith('INTERNAL')) return 'an internal error';
  const bytes = Buffer.byteLength(text);
  const most = isError ? ERROR_BYTES : budget;
  return bytes > most ? `${bytes} bytes, and ${most} were allowed` : undefined;
}

/** Two agents with one store: one of them holds it, the other asks it. */
export async function runAgents(
  store: string,
  numbers: readonly number[],
  lines: number,
): Promise<ReadonlyMap<string, number>> {
  const agents = numbers.map(() => new AgentProcess(store));
  try {
    await Promise.all(agents.map((agent, i) => agent.run(numbers[i]!, lines)));
    await Promise.all(agents.map((agent) => agent.end()));
  } finally {
    for (const agent of agents) agent.kill();
  }
  const outcomes = new Map<string, number>();
  for (const agent of agents)
    for (const [end, count] of agent.outcomes) outcomes.set(end, (outcomes.get(end) ?? 0) + count);
  return outcomes;
}
