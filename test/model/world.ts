/** A store beside its naive model, the chance that both share, and what was done in both so far. */
import { platformEnv, Store } from '@quadrille/core';
import type { Repository, Snapshot, Tuning } from '@quadrille/core';
import { yieldTurn } from '@quadrille/model';
import { StorageEngine, toHex } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { check } from './check.js';
import { seededEnv } from './environment.js';
import { quadOf, vocabulary } from './operations.mjs';
import type { Random, State, Words } from './operations.mjs';

export interface WorldOptions {
  readonly random: Random;
  /** Makes the storage, or opens it again. */
  readonly driver: () => StorageDriver | Promise<StorageDriver>;
  readonly tuning?: Partial<Tuning> | undefined;
  /** The repository is let go whenever nothing uses it. */
  readonly forgetful?: boolean;
  /** Terms that are stored in parts. */
  readonly long?: boolean;
  /** Quads of a large operation. */
  readonly most?: number;
}

interface KnownRevision {
  readonly id: string;
  readonly time: number;
}

const NAME = 'model/model';

export class World {
  /** By number; the first one stands for what is before revision 1. */
  readonly states: State[] = [new Set(), new Set()];
  /** What was done, to be printed where something is wrong. */
  readonly journal: string[] = [];
  operations = 0;
  /** How often the repository was not in memory at the beginning of a step. */
  timesLetGo = 0;
  readonly random: Random;
  readonly words: Words;
  readonly most: number;
  readonly known: KnownRevision[] = [];
  readonly tags = new Map<string, number>();
  readonly namespaces = new Map<string, string>();
  /** They stay open over many steps. */
  snapshots: Snapshot[] = [];
  repository!: Repository;
  #store!: Store;
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

  async open(): Promise<void> {
    const env = this.options.tuning === undefined ? platformEnv() : seededEnv(this.random);
    const engine = await StorageEngine.open(await this.options.driver());
    const { tuning, forgetful = false } = this.options;
    const repositoryBytes = forgetful ? 0 : undefined;
    this.#store = await Store.open(engine, { env, tuning, cacheBytes: 1, repositoryBytes, durable: false });
    this.repository = await this.#store.repository(NAME, true);
    if (this.known.length === 0) this.remember(await this.repository.resolve(1));
  }

  remember(record: { id: Uint8Array; time: number }): void {
    const hex = toHex(record.id);
    this.known.push({ id: hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'), time: record.time });
  }

  async close(): Promise<void> {
    for (const snapshot of this.snapshots) snapshot.close();
    this.snapshots = [];
    await this.#store.close();
    check(
      this.#store.engine.openIterators === 0,
      () => `${this.#store.engine.openIterators} iterators are open after close`,
    );
  }

  /** The repository is let go in a turn of the event loop in which nothing uses it. */
  async forget(): Promise<void> {
    await yieldTurn();
    if (!this.repository.handle.inMemory) this.timesLetGo++;
  }

  /** The message of a change, by which its revision is found. */
  newLabel(): string {
    return `o${++this.#label}`;
  }

  /** A line of the journal; long texts are cut. */
  say(label: string, text: unknown): void {
    this.journal.push(
      `${label} ${JSON.stringify(text, (_, value: unknown) => (typeof value === 'string' && value.length > 300 ? `${value.slice(0, 60)}… (${value.length})` : value))}`,
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
