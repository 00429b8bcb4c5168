/**
 * Requests with thousands of parts of every kind, sent to a server: others are answered all the time, and each request ends by its
 * deadline.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { language, operators, updates } from './operators.js';
import type { Shape } from './shape.js';

const PARTS = 2000;
const TIMEOUT_MS = 500;
/** What a request may take beyond its deadline: its way there and back, and what is under way. */
const GRACE_MS = 1000;
/** How long others may wait for an answer, and how often a longer wait is tried again: the machine may have done something else. */
const LONGEST_WAIT_MS = 500;
const ATTEMPTS = 3;
const LOADER = join(import.meta.dirname, '../campaigns/typescript.mjs');
const SERVER = join(import.meta.dirname, 'server.ts');

let child: ChildProcess;
let url: string;
beforeAll(async () => {
  child = spawn(process.execPath, ['--import', LOADER, SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    url = `http://127.0.0.1:${line}`;
    break;
  }
});
afterAll(() => child.stdin?.end());

/**
 * Sends a request and reads the answer to its end. Time in which the reader takes nothing does not count for the deadline, and `fetch` reads
 * slower than the server writes.
 */
async function send({ form, text }: Shape): Promise<{ status: number; ms: number }> {
  const type = form === 'update' ? 'application/sparql-update' : 'application/sparql-query';
  const began = performance.now();
  const address = `${url}/a/r/sparql?timeout=${TIMEOUT_MS / 1000}`;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers: { 'content-type': type } }, resolve);
    sent.on('error', reject).end(text);
  });
  // An answer that has begun is cut off at its deadline.
  await new Promise((resolve) =>
    answer
      .on('error', () => undefined)
      .on('close', resolve)
      .resume(),
  );
  return { status: answer.statusCode!, ms: performance.now() - began };
}

/** The longest wait of somebody who asks for something else all the time. */
async function longestWait(request: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const end = (): void => over.abort();
  request.then(end, end);
  let longest = 0;
  do {
    const began = performance.now();
    const answer = await fetch(`${url}/health`);
    await answer.text();
    expect(answer.status).toBe(200);
    longest = Math.max(longest, performance.now() - began);
  } while (!over.signal.aborted);
  return longest;
}

async function check(shape: Shape): Promise<void> {
  let wait = Infinity;
  let took = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && (wait > LONGEST_WAIT_MS || took > TIMEOUT_MS + GRACE_MS); attempt++) {
    const request = send(shape);
    wait = Math.min(wait, await longestWait(request));
    const { status, ms } = await request;
    took = Math.min(took, ms);
    // A fast machine may have used up the memory of the query (507) before the time is over.
    if (status !== 507) expect(status).toBeLessThan(504);
  }
  expect(wait).toBeLessThan(LONGEST_WAIT_MS);
  expect(took).toBeLessThan(TIMEOUT_MS + GRACE_MS);
}

describe.each(Object.entries(operators(PARTS)))('the operator %s', (_, shapes) => {
  test.each(shapes)('$name', check);
});

describe('the language', () => {
  test.each([...language(PARTS), ...updates(PARTS)])('$name', check);
});
