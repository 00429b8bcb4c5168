/** A client of server-sent events as the HTML standard describes it, for tests. */
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

export class EventClient {
  readonly events: ServerEvent[] = [];
  comments = 0;
  retry: number | undefined;
  /** The id to resume from. It changes with complete events only. */
  lastId: string;
  ended = false;
  #rest = '';
  #id: string;
  #type = '';
  #data = '';
  #wake = (): void => undefined;

  private constructor(
    readonly request: ClientRequest,
    readonly response: IncomingMessage,
    lastId: string,
  ) {
    this.lastId = this.#id = lastId;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('error', () => undefined);
    response.on('close', () => {
      this.ended = true;
      this.#wake();
    });
    onTestFinished(() => void request.destroy());
  }

  static open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventClient> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } }, (response) =>
        resolve(new EventClient(request, response, headers['Last-Event-ID'] ?? '')),
      );
      request.on('error', reject);
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  header(name: string): string | undefined {
    return this.response.headers[name] as string | undefined;
  }

  /** Resolves when there are as many events, or the answer has ended. */
  async count(events: number): Promise<readonly ServerEvent[]> {
    while (this.events.length < events && !this.ended) await this.#more();
    return this.events;
  }

  /** Resolves when the id to resume from is known. */
  async begun(): Promise<string> {
    while (this.lastId === '' && !this.ended) await this.#more();
    return this.lastId;
  }

  async end(): Promise<void> {
    while (!this.ended) await this.#more();
  }

  leave(): void {
    this.request.destroy();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    this.#wake();
  }

  #line(line: string): void {
    if (line === '') return this.#dispatch();
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === '') this.comments++;
    else if (name === 'id') this.#id = value;
    else if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data += `${value}\n`;
    else if (name === 'retry') this.retry = Number(value);
    else throw new Error(`no field of server-sent events: ${line.slice(0, 100)}`);
  }

  #dispatch(): void {
    this.lastId = this.#id;
    if (this.#data !== '') this.events.push({ id: this.#id, type: this.#type || 'message', data: this.#data });
    this.#type = this.#data = '';
  }
}
