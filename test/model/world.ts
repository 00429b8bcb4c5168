/** A repository beside its naive model, the chance that both share, and what was done in both so far. */
import type { Repository, Snapshot, Store } from '@quadrille/core';
import { yieldTurn } from '@quadrille/model';
import { toHex } from '@quadrille/storage';
import { quadOf, vocabulary } from './operations.mjs';
import type { Random, State, Words } from './operations.mjs';

export interface WorldOptions {
  /** `account/repository`. */
  readonly name: string;
  readonly random: Random;
  /** What was done in all repositories of the store, to be printed where something is wrong. */
  readonly journal: string[];
  /** The repository is unloaded whenever nothing uses it. */
  readonly forgetful?: boolean | undefined;
  /** Terms that are stored in parts. */
  readonly long?: boolean | undefined;
  /** Quads of a large operation. */
  readonly most?: number | undefined;
}

interface KnownRevision {
  readonly id: string;
  readonly time: number;
}

export class World {
  /** By number; the first one stands for what is before revision 1. */
  readonly states: State[] = [new Set(), new Set()];
  operations = 0;
  /** How often the repository was not in memory at the beginning of a step. */
  timesUnloaded = 0;
  readonly random: Random;
  readonly words: Words;
  readonly most: number;
  readonly known: KnownRevision[] = [];
  readonly tags = new Map<string, number>();
  readonly namespaces = new Map<string, string>();
  /** They stay open over many steps. */
  snapshots: Snapshot[] = [];
  repository!: Repository;
  /** Of all revisions so far. */
  readonly #terms = new Set<string>();
  #termsSeen = 0;
  #label = 0;

  constructor(readonly options: WorldOptions) {
    this.random = options.random;
    this.words = vocabulary(options.random, { long: options.long ?? false });
    this.most = options.most ?? 40;
  }

  get head(): number {
    return this.states.length - 1;
  }

  get state(): State {
    return this.states[this.head]!;
  }

  /** Makes the repository, or opens it again. */
  async open(store: Store): Promise<void> {
    this.repository = await store.repository(this.options.name, true);
    if (this.known.length === 0) this.remember(await this.repository.resolve(1));
  }

  remember(record: { id: Uint8Array; time: number }): void {
    const hex = toHex(record.id);
    this.known.push({ id: hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'), time: record.time });
  }

  /** Before its store is closed. */
  close(): void {
    for (const snapshot of this.snapshots) snapshot.close();
    this.snapshots = [];
  }

  /** The repository is unloaded in a turn of the event loop in which nothing uses it. */
  async forget(): Promise<void> {
    await yieldTurn();
    if (!this.repository.handle.inMemory) this.timesUnloaded++;
  }

  /** The message of a change, by which its revision is found. */
  newLabel(): string {
    return `o${++this.#label}`;
  }

  /** A line of the journal; long texts are cut. */
  say(label: string, text: unknown): void {
    this.options.journal.push(
      `${this.options.name} ${label} ${JSON.stringify(text, (_, value: unknown) => (typeof value === 'string' && value.length > 300 ? `${value.slice(0, 60)}… (${value.length})` : value))}`,
    );
  }

  /** Those of the lines whose terms all stand in some revision so far. */
  ofKnownTerms(lines: readonly string[]): string[] {
    for (; this.#termsSeen <= this.head; this.#termsSeen++) {
      for (const line of this.states[this.#termsSeen]!) for (const text of quadOf(line).texts) this.#terms.add(text);
    }
    return lines.filter((line) => quadOf(line).texts.every((text) => text === '' || this.#terms.has(text)));
  }
}
