/** One query in its thread: evaluates it and sends its answer, piece by piece. */
import { EvaluationError, type LazySequence } from '@quadrille/model';
import type { Snapshot } from '@quadrille/core';
import { type Engine, receiveRequest, receiveTerm, type Task } from '@quadrille/sparql';
import { documentOf } from '../documents/answer-document.js';
import { SnapshotDataset } from '../sparql/datasets.js';
import { type FromThread, PIECES_AHEAD, type QueryMessage } from './messages.js';
import { sendError } from './sent-errors.js';

export class ThreadQueryRun {
  readonly #task: Task;
  #room = PIECES_AHEAD;
  #wake: (() => void) | undefined;
  #rowsSent = 0;
  #busySent = 0;

  constructor(
    private readonly engine: Engine,
    private readonly message: QueryMessage,
    private readonly post: (message: FromThread) => void,
  ) {
    this.#task = engine.running.begin({ kind: 'query', text: message.request.text });
    this.#task.control.startClock();
  }

  /** The reader has taken a piece. */
  taken(): void {
    this.#room++;
    this.#wake?.();
  }

  cancel(): void {
    this.#task.control.fail(new EvaluationError('ABORTED', 'the evaluation was cancelled'));
    this.#wake?.();
  }

  /** Sends the whole answer, or why there is none. */
  async run(open: () => Snapshot): Promise<void> {
    let snapshot: Snapshot | undefined;
    try {
      snapshot = open();
      await this.#send(await this.#document(snapshot));
      this.post({ type: 'end' });
    } catch (error) {
      this.post({ type: 'failed', error: sendError(error) });
    } finally {
      this.#task.end();
      snapshot?.close();
    }
  }

  async #document(snapshot: Snapshot): Promise<LazySequence<string>> {
    const { request, options, bindings, mediaType, prefixes } = this.message;
    const terms = bindings && Object.entries(bindings).map(([name, term]) => [name, receiveTerm(term)] as const);
    const answer = await this.engine.query(receiveRequest(request), new SnapshotDataset(snapshot), {
      ...options,
      bindings: terms && Object.fromEntries(terms),
      task: this.#task,
    });
    return documentOf(answer, mediaType, prefixes);
  }

  async #send(document: LazySequence<string>): Promise<void> {
    const { control } = this.#task;
    try {
      for (let text = await document.next(); text !== undefined; text = await document.next()) {
        if (this.#room === 0) await this.#waitForRoom();
        control.throwIfFailed();
        this.#room--;
        const { rows } = this.#task;
        const { busyMs } = control.clock;
        this.post({ type: 'piece', piece: { text, rows: rows - this.#rowsSent, busyMs: busyMs - this.#busySent } });
        this.#rowsSent = rows;
        this.#busySent = busyMs;
      }
    } finally {
      await document.close();
    }
  }

  async #waitForRoom(): Promise<void> {
    const { control } = this.#task;
    control.stopClock();
    while (this.#room === 0 && control.failure === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    control.startClock();
  }
}
