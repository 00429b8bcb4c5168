/** A proxy between a client and PostgreSQL that knows where messages end. It cuts, swallows, and holds back what a test names. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Message {
  /** Who has sent it. */
  readonly from: 'client' | 'server';
  /** Its letter in the protocol; empty for the first message of a client. */
  readonly type: string;
  /** Its number among all messages of the proxy, from 1. */
  readonly number: number;
  readonly bytes: Buffer;
}

/**
 * - `pass`: it arrives.
 * - `cut`: it does not arrive, and the connection breaks for both.
 * - `last`: it arrives, and then the connection breaks for both.
 * - `stall`: neither it nor anything later arrives. The connection stays.
 * - `vanish`: the same, and the server does not hear when the client closes, as after a cut cable.
 * - `deaf`: it arrives, and no answer does. The connection stays.
 * - a number: it arrives after so many milliseconds, and everything behind it later. A promise: when that resolves.
 */
export type Fate = 'pass' | 'cut' | 'last' | 'stall' | 'vanish' | 'deaf' | number | Promise<void>;

/** The letter of the message that ends an answer. */
const READY = 'Z';

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Whether nothing more passes to the client, or to the server. */
  deaf: boolean;
  dumb: boolean;
  /** Whether the server answers to a statement of the proxy. */
  forgetting: boolean;
  /** Whether the server does not hear that the client closes. */
  vanished: boolean;
  /** Until everything has arrived that the client has sent. */
  sent: Promise<void>;
}

export class WireProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #links = new Set<Link>();
  /** What happens with a message. */
  fate: (message: Message) => Fate = () => 'pass';
  /** Whether the server forgets prepared statements after each one, as if each went over another connection of a pooler. */
  forgets = false;
  /** Messages so far. */
  messages = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
  }

  /** @param target port of the server on this machine */
  static async start(target: number): Promise<WireProxy> {
    const server = createServer();
    const proxy = new WireProxy(server, target);
    server.on('connection', (client) => proxy.#link(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL that leads through the proxy. */
  through(url: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return url.replace(/(@127\.0\.0\.1):\d+/, `$1:${port}`);
  }

  /** Everything passes from now on, over new connections. */
  heal(): void {
    this.fate = () => 'pass';
    for (const link of this.#links) this.#break(link);
  }

  async stop(): Promise<void> {
    for (const link of this.#links) this.#break(link);
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #link(client: Socket): void {
    const server = connect({ host: '127.0.0.1', port: this.#target });
    const link: Link = {
      client,
      server,
      deaf: false,
      dumb: false,
      forgetting: false,
      vanished: false,
      sent: Promise.resolve(),
    };
    this.#links.add(link);
    for (const socket of [client, server]) socket.setNoDelay().on('error', () => undefined);
    server.on('close', () => this.#break(link));
    // What it has sent arrives, also if it has given up.
    client.on('close', () => void link.sent.then(() => !link.vanished && this.#break(link)));
    this.#pump(link, 'client');
    this.#pump(link, 'server');
  }

  #break(link: Link): void {
    this.#links.delete(link);
    link.client.destroy();
    link.server.destroy();
  }

  #pump(link: Link, from: Message['from']): void {
    const [source, target] = from === 'client' ? [link.client, link.server] : [link.server, link.client];
    let isFirst = from === 'client';
    let rest = Buffer.alloc(0);
    let before = Promise.resolve();
    source.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        // The first message of a client has no letter.
        const head = isFirst ? 0 : 1;
        if (rest.length < head + 4) return;
        const end = head + rest.readUInt32BE(head);
        if (rest.length < end) return;
        const bytes = rest.subarray(0, end);
        rest = rest.subarray(end);
        const type = isFirst ? '' : String.fromCharCode(bytes[0]!);
        isFirst = false;
        const message = { from, type, number: ++this.messages, bytes };
        before = before.then(() => this.#deliver(link, message, target));
        if (from === 'client') link.sent = before;
      }
    });
  }

  /** Lets the server forget, before the client is told that it is ready. Returns whether the message is not for the client. */
  #forget(link: Link, { type }: Message): boolean {
    if (link.forgetting) {
      link.forgetting = type !== READY;
      return link.forgetting;
    }
    if (!this.forgets || type !== READY) return false;
    link.forgetting = true;
    const text = Buffer.from('DEALLOCATE ALL\0');
    const head = Buffer.from('Q....');
    head.writeUInt32BE(text.length + 4, 1);
    link.server.write(Buffer.concat([head, text]));
    return true;
  }

  async #deliver(link: Link, message: Message, target: Socket): Promise<void> {
    if (message.from === 'client' ? link.dumb : link.deaf) return;
    if (message.from === 'server' && this.#forget(link, message)) return;
    const fate = this.fate(message);
    if (typeof fate === 'number') await new Promise((resolve) => setTimeout(resolve, fate));
    if (fate instanceof Promise) await fate;
    if (fate === 'cut') return this.#break(link);
    if (fate === 'stall' || fate === 'vanish') {
      link.dumb = link.deaf = true;
      link.vanished = fate === 'vanish';
      return;
    }
    if (fate === 'deaf') link.deaf = true;
    if (target.destroyed) return;
    if (fate !== 'last') return void target.write(message.bytes);
    await new Promise((resolve) => target.write(message.bytes, resolve));
    // What was written must have left before both ends close.
    link.server.end();
    link.client.destroy();
  }
}
