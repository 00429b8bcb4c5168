// The least that a client of the Model Context Protocol does: it starts `quadrille mcp`, and sends a line for each request.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('bin/quadrille.js', import.meta.resolve('quadrille/package.json')));

export class Client {
  /** Starts an agent's session on a store. */
  static async start(name, store, ...options) {
    const client = new Client(
      spawn(process.execPath, [COMMAND, 'mcp', store, ...options], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const clientInfo = { name, version: '1' };
    client.server = await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  #waiting = new Map();
  #id = 0;

  constructor(process) {
    this.process = process;
    createInterface({ input: process.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error.message));
    });
  }

  #send(message) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  ask(method, params = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.#id;
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /** The structured answer of a tool. A refusal is thrown, as a model would read it. */
  async tool(name, input = {}) {
    const { isError, content, structuredContent } = await this.ask('tools/call', { name, arguments: input });
    if (isError) throw new Error(content[0].text);
    return structuredContent;
  }

  /** Ends the session. */
  end() {
    return new Promise((resolve) => this.process.on('close', resolve).stdin.end());
  }
}
