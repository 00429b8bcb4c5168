import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Reply } from '../message/reply.js';
import { sendReply } from './node-reply.js';

const CHUNK = new Uint8Array(1 << 20);
const CHUNKS = 40;

test('a long answer to a slow client waits often, and leaves no listeners behind', async () => {
  let most = 0;
  let left = CHUNKS;
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          for (const event of ['close', 'drain', 'error']) most = Math.max(most, outgoing.listenerCount(event));
          if (left-- > 0) controller.enqueue(CHUNK);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    void sendReply(new Reply(body), incoming, outgoing);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const response = await new Promise<IncomingMessage>((resolve) =>
      get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, resolve),
    );
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
    expect(bytes).toBe(CHUNKS * CHUNK.byteLength);
    expect(most).toBeLessThan(6);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
