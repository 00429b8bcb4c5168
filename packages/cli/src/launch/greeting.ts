/**
 * Answers what an agent asks first, while nothing is loaded: it waits for the list of the tools before it shows anything, and loading
 * the command takes as long as starting Node.js. The first message of another kind is left for the command, with all that follows.
 */
import type { Readable, Writable } from 'node:stream';
import { clientOf, introduction } from '@quadrille/server/mcp-start';
import { versionOfCommand } from '../version.js';
import { type ToolList, toolList } from './tool-list.js';

type Toolset = ToolList[number]['toolset'];

/** The command is loaded when a client is silent for as long: loading it stops everything else. */
const SILENCE_MS = 100;

/** The toolsets of `quadrille mcp STORE`; `undefined` for any other command line, of which the command says what it is. */
export function greetedToolsets(argv: readonly string[]): ReadonlySet<Toolset> | undefined {
  const [command, store, ...options] = argv;
  if (command !== 'mcp' || store === undefined || store.startsWith('-')) return undefined;
  let tools = 'memory';
  for (let i = 0; i < options.length; i++) {
    const option = options[i]!;
    if (option === '--allow-secrets') continue;
    const value = options[++i];
    if (!WITH_VALUE.has(option) || value === undefined || value.startsWith('-')) return undefined;
    if (option === '--tools') tools = value;
  }
  const names = tools.split(',');
  return names.every(isToolset) ? new Set(names) : undefined;
}

const WITH_VALUE = new Set(['--tools', '--repository', '-r']);
const isToolset = (name: string): name is Toolset => ['memory', 'data', 'change'].includes(name);

/** Resolves with the name of the client when the command is needed: everything that is not answered is in the input. */
export function greet(tools: ReadonlySet<Toolset>, input: Readable, output: Writable): Promise<string | undefined> {
  const greeter = new Greeter(tools);
  return new Promise((resolve) => {
    const ignore = (): void => undefined;
    const end = (): void => {
      clearTimeout(timer);
      input.off('readable', answer).off('end', end).off('error', end);
      output.off('error', ignore);
      resolve(greeter.client);
    };
    const answer = (): void => {
      const chunk = input.read() as Buffer | null;
      if (chunk === null) return;
      const { answers, rest } = greeter.answer(chunk);
      const isTaken = answers === '' || output.write(answers);
      if (rest.length > 0) input.unshift(rest);
      if (rest.length > 0 || greeter.isDone || !isTaken) end();
      else timer.refresh();
    };
    const timer = setTimeout(end, SILENCE_MS);
    input.on('readable', answer).on('end', end).on('error', end);
    // Whoever writes next hears of it.
    output.on('error', ignore);
  });
}

type Message = Readonly<Record<string, unknown>>;

class Greeter {
  client: string | undefined;
  /** Whether the client knows the tools. */
  isDone = false;

  constructor(private readonly tools: ReadonlySet<Toolset>) {}

  /** The answers to the first lines, and the bytes from the first one that is for the command. */
  answer(chunk: Buffer): { answers: string; rest: Buffer } {
    let answers = '';
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const answer = this.#answerLine(chunk.toString('utf8', start, end));
      if (answer === undefined) break;
      answers += answer;
      start = end + 1;
    }
    return { answers, rest: chunk.subarray(start) };
  }

  /** The line of the answer, which may be empty; `undefined` where the message is for the command. */
  #answerLine(line: string): string | undefined {
    const { jsonrpc, id, method, params = {} } = messageOf(line) ?? {};
    if (jsonrpc !== '2.0' || typeof params !== 'object' || params === null || Array.isArray(params)) return undefined;
    if (id === undefined) return method === 'notifications/initialized' ? '' : undefined;
    if (typeof id !== 'string' && !Number.isFinite(id)) return undefined;
    const result = this.#resultOf(method, params as Message);
    return result && `${JSON.stringify({ jsonrpc, id, result })}\n`;
  }

  #resultOf(method: unknown, params: Message): object | undefined {
    switch (method) {
      case 'initialize':
        this.client = clientOf(params) ?? this.client;
        return introduction(params, versionOfCommand());
      case 'ping':
        return {};
      case 'tools/list':
        this.isDone = true;
        return {
          tools: toolList()
            .filter(({ toolset }) => this.tools.has(toolset))
            .map(({ listed }) => listed),
        };
      default:
        return undefined;
    }
  }
}

function messageOf(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : undefined;
  } catch {
    return undefined;
  }
}
