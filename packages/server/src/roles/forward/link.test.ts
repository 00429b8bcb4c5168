/** Links between two servers over real connections: requests share them, and nothing of one request is of another. */
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type HttpRequest } from '../../message/request.js';
import { Reply } from '../../message/reply.js';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../testing/listen.js';
import { LinkClient, type LinkedAnswer, type LinkOutcome } from './link-client.js';
import { type Answering, LinkHost, shownProof } from './link-host.js';

interface Linked {
  readonly host: LinkHost;
  readonly link: LinkClient;
  /** Sends an update for a client. */
  readonly send: (body: string | Uint8Array, client?: Socket) => Promise<LinkOutcome>;
}

async function linked(reply: Answering['reply'], refusal: Answering['refusal'] = () => undefined): Promise<Linked> {
  const host = new LinkHost({ reply, refusal });
  const url = await listen((incoming, outgoing) => {
    expect(shownProof(incoming)).toBe('me');
    host.accept(incoming, outgoing);
  });
  const link = new LinkClient(url, '/servers', 'me');
  onTestFinished(() => link.close());
  const usual = await client();
  await expect.poll(() => link.isReady).toBe(true);
  const headers = { host: 'data.example', 'content-type': 'application/sparql-update', authorization: 'Bearer x' };
  const send: Linked['send'] = (body, from = usual) =>
    link.request({ method: 'POST', url: '/a/r/sparql?x=1', headers }, Buffer.from(body), from);
  return { host, link, send };
}

/** The connection of a client. */
async function client(): Promise<Socket> {
  const url = await listen(() => undefined);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function textOf({ body }: HttpRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const shown = (outcome: LinkOutcome): unknown =>
  typeof outcome === 'string' ? outcome : [outcome.status, outcome.body.toString()];

/** Requests that wait until the test answers them, by their bodies. */
class Desk {
  readonly waiting = new Map<string, { readonly request: HttpRequest; readonly answer: (reply: Reply) => void }>();

  readonly reply: Answering['reply'] = async (asked) => {
    const text = await textOf(asked);
    return new Promise((resolve) => this.waiting.set(text, { request: asked, answer: resolve }));
  };

  async has(count: number): Promise<void> {
    await expect.poll(() => this.waiting.size).toBe(count);
  }

  answer(text: string, reply: Reply): void {
    this.waiting.get(text)!.answer(reply);
    this.waiting.delete(text);
  }
}

test('requests that are sent together are answered each on its own, in any order', async () => {
  const desk = new Desk();
  const { send } = await linked(desk.reply);
  const names = Array.from({ length: 50 }, (_, i) => `é${i}`);
  const answers = names.map((name) => send(name));
  await desk.has(50);
  const { request: one } = desk.waiting.get('é7')!;
  expect([one.method, one.url]).toEqual(['POST', 'http://data.example/a/r/sparql?x=1']);
  expect([one.headers.get('Authorization'), one.headers.has('If-Match')]).toEqual(['Bearer x', false]);
  for (const [i, name] of names.toReversed().entries()) {
    const none = i % 3 === 0;
    desk.answer(name, new Reply(none ? null : `to ${name}`, { status: none ? 204 : 412, headers: { ETag: name } }));
  }
  const outcomes = (await Promise.all(answers)) as LinkedAnswer[];
  for (const [i, { status, headers, body }] of outcomes.entries()) {
    const none = (49 - i) % 3 === 0;
    expect([status, headers, body.toString()]).toEqual([none ? 204 : 412, [['etag', `é${i}`]], none ? '' : `to é${i}`]);
  }
});

test('a client that goes cancels its own requests alone', async () => {
  const desk = new Desk();
  const { send } = await linked(desk.reply);
  const [one, two] = [await client(), await client()];
  const answers = [send('a', one), send('b', two), send('c', one)];
  await desk.has(3);
  const signalOf = (text: string): AbortSignal => desk.waiting.get(text)!.request.signal;
  const signals = ['a', 'b', 'c'].map(signalOf);
  one.destroy();
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false, true]);
  for (const text of ['a', 'b', 'c']) desk.answer(text, new Reply(text));
  expect((await Promise.all(answers)).map(shown)).toEqual([
    [200, 'a'],
    [200, 'b'],
    [200, 'c'],
  ]);
  // Requests that are abandoned leave later ones of their client alone.
  void send('d', two);
  await desk.has(1);
  const { request: abandoned } = desk.waiting.get('d')!;
  abandoned.abandon!(new Error('no right'));
  const later = send('e', two);
  await desk.has(2);
  expect([abandoned.signal.aborted, signalOf('e').aborted]).toEqual([true, false]);
  desk.answer('e', new Reply('e'));
  expect(shown(await later)).toEqual([200, 'e']);
});

test('a server that leaves finishes what it has begun, and then the link ends', async () => {
  const desk = new Desk();
  let leaving = false;
  const { host, link, send } = await linked(desk.reply, () => (leaving ? ['NOT_READY', 'it leaves'] : undefined));
  const [one, two] = [send('a'), send('b')];
  await desk.has(2);
  leaving = true;
  host.leave();
  const late = await send('c');
  expect(shown(late)).toEqual([503, expect.stringContaining('"code":"NOT_READY"')]);
  expect(desk.waiting.size).toBe(2);
  desk.answer('a', new Reply('a'));
  desk.answer('b', new Reply('b'));
  expect([shown(await one), shown(await two)]).toEqual([
    [200, 'a'],
    [200, 'b'],
  ]);
  await expect.poll(() => link.hasEnded).toBe(true);
});

test('nobody knows about requests whose link breaks, and they are cancelled there', async () => {
  const desk = new Desk();
  const { link, send } = await linked(desk.reply);
  const answers = [send('a'), send('b')];
  await desk.has(2);
  const signals = [...desk.waiting.values()].map(({ request: { signal } }) => signal);
  link.close();
  expect(await Promise.all(answers)).toEqual(['broken', 'broken']);
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(await send('c')).toBe('elsewhere');
});

test('streams come whole; long ones, and failures of the server, are left to other connections', async () => {
  let cancelled = 0;
  let sent: number[] = [];
  const stream = (pieces: number): Reply => {
    let left = pieces;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(Buffer.alloc(1000, 'x')) : controller.close()),
      cancel: () => void cancelled++,
    });
    const reply = new Reply(body);
    reply.onSent = (bytes) => sent.push(bytes);
    return reply;
  };
  const { send } = await linked(async (asked) => {
    const text = await textOf(asked);
    if (text === 'failure') throw new Error('no');
    return stream(Number(text));
  });
  expect(shown(await send('20'))).toEqual([200, 'x'.repeat(20_000)]);
  expect([cancelled, sent]).toEqual([0, [20_000]]);
  sent = [];
  expect(await send('2000')).toBe('elsewhere');
  expect(cancelled).toBe(1);
  expect(await send('failure')).toBe('elsewhere');
  expect(shown(await send('1'))).toEqual([200, 'x'.repeat(1000)]);
});

test('a server does not read ahead without a bound', async () => {
  const desk = new Desk();
  const { send } = await linked(desk.reply);
  const texts = Array.from({ length: 200 }, (_, i) => String(i).padEnd(64 * 1024));
  const answers = texts.map((text) => send(text));
  let most = 0;
  for (let done = 0; done < texts.length;) {
    await expect.poll(() => desk.waiting.size).toBeGreaterThan(0);
    most = Math.max(most, desk.waiting.size);
    for (const text of desk.waiting.keys()) {
      desk.answer(text, new Reply(text.trim()));
      done++;
    }
  }
  expect((await Promise.all(answers)).map(shown)).toEqual(texts.map((text) => [200, text.trim()]));
  // 8 MiB, and what arrives with the request that reaches it.
  expect(most).toBeLessThan(140);
});

test.each([
  ['refuses it', (_: IncomingMessage, outgoing: ServerResponse) => void outgoing.writeHead(405).end()],
  ['sends nothing back', (_: IncomingMessage, outgoing: ServerResponse) => outgoing.writeHead(200).flushHeaders()],
  ['sends something else', (_: IncomingMessage, outgoing: ServerResponse) => void outgoing.end('no frames at all')],
  ['holds it back', () => undefined],
])('a link to a server that %s is not used', async (_, listener) => {
  const link = new LinkClient(await listen(listener), '/servers', 'me');
  await expect.poll(() => link.hasEnded, { timeout: 10_000 }).toBe(true);
  expect(link.isReady).toBe(false);
});

test('a broken frame ends the link, and no other connection', async () => {
  const host = new LinkHost({ reply: () => Promise.resolve(new Reply('')), refusal: () => undefined });
  const url = await listen((incoming, outgoing) => host.accept(incoming, outgoing));
  const link = new LinkClient(url, '/servers', 'me');
  onTestFinished(() => link.close());
  await expect.poll(() => link.isReady).toBe(true);
  const broken = request(url, { method: 'POST' });
  const ended = Promise.race([once(broken, 'close'), once(broken, 'error')]);
  broken.on('error', () => undefined);
  broken.on('response', (answer) => answer.on('error', () => undefined).resume());
  broken.write(Buffer.alloc(64, 0xff));
  await ended;
  expect(link.isReady).toBe(true);
});
