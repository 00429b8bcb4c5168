/** How calls reach a store: as whom, with which rights, and within which limits. */
import { QuadrilleError } from '@quadrille/model';
import type { Database, QueryOptions, Repository } from 'quadrille';
import {
  type ForwardedAnswer,
  type ForwardedCall,
  type ForwardsTools,
  type StoreNames,
  TOOLS_OF_HOLDER,
} from './forward/forwarded-calls.js';
import { withIndex } from './memory/with-index.js';
import { ToolError } from './tool-error.js';
import type { ToldError } from './tool-result.js';

/** The right that a call needs. */
export type Access = 'read' | 'write';

/** A repository as a call names it. */
export interface Source {
  readonly repository?: string;
  readonly branch?: string;
}

/** What runs within limits. */
export interface Work extends Source {
  /** Whether it is about the memory, and not about the repository that the call names. */
  readonly ofMemory: boolean;
  /** What the lists of running queries show. */
  readonly text: string;
  readonly access: Access;
  readonly timeoutMs: number;
}

export interface Door {
  /** Who makes the changes; `undefined`: the client. */
  readonly author: string | undefined;
  /** @throws {@link ToolError} where a name is missing, and there are several */
  repository(source: Source, access: Access): Promise<Repository>;
  /** The repository of the memory, which is made if it is not there. */
  memory(access: Access): Promise<Repository>;
  /** Checks that a branch may be changed; without a name that of the repository. */
  checkCommit(repository: Repository, branch?: string): Promise<void>;
  /** What the client is told of an error. */
  told(error: unknown): ToldError;
  /** Lets another process run a tool, where that holds the store; `undefined` where this one does. */
  forward?(call: ForwardedCall, writes: boolean, signal: AbortSignal): Promise<ForwardedAnswer | undefined>;
  run<T>(work: Work, signal: AbortSignal, run: (limits: QueryOptions, signal: AbortSignal) => Promise<T>): Promise<T>;
}

const MEMORY = 'memory/graph';
/** Of a query of a model. */
export const MEMORY_BYTES = 64 * 1024 ** 2;

/** A store of a program of the user: every right, and the limits of single queries. */
export class StoreDoor implements Door {
  #memory: Promise<Repository> | undefined;

  readonly author = undefined;

  constructor(
    /** It may still be opened: what needs no store is answered meanwhile. */
    private readonly database: Database | Promise<Database>,
    /** Whether there are tools for a memory, so that it is made. */
    private readonly hasMemory: boolean,
    private readonly names: StoreNames = {},
  ) {}

  async repository({ repository: name = this.names.repository, branch }: Source): Promise<Repository> {
    const repository = await this.#open(name);
    return branch === undefined ? repository : repository.branches.open(branch);
  }

  get #memoryName(): string {
    return this.names.memory ?? MEMORY;
  }

  async #open(name: string | undefined): Promise<Repository> {
    if (name === this.#memoryName && this.hasMemory) return this.memory();
    const database = await this.database;
    if (name !== undefined) return database.repository(name, { create: false });
    const names: string[] = [];
    for await (const { name: each } of database.repositories()) names.push(each);
    return database.repository(theOnly(names), { create: false });
  }

  memory(): Promise<Repository> {
    this.#memory ??= this.#made().catch((error: unknown) => {
      this.#memory = undefined;
      throw error;
    });
    return this.#memory;
  }

  async #made(): Promise<Repository> {
    return withIndex(await (await this.database).repository(this.#memoryName, { create: true }));
  }

  checkCommit(): Promise<void> {
    return Promise.resolve();
  }

  async forward(call: ForwardedCall, writes: boolean, signal: AbortSignal): Promise<ForwardedAnswer | undefined> {
    const forward = ((await this.database) as ForwardsTools)[TOOLS_OF_HOLDER];
    return forward?.({ ...call, names: { ...this.names, hasMemory: this.hasMemory } }, writes, signal);
  }

  /** It is the user's own machine. */
  told(error: unknown): ToldError {
    const message = error instanceof Error ? error.message : String(error);
    return { code: error instanceof QuadrilleError ? error.code : 'INTERNAL', message };
  }

  run<T>(
    { access, timeoutMs }: Work,
    signal: AbortSignal,
    run: (limits: QueryOptions, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return run({ signal, timeoutMs, ...(access === 'read' && { memoryBytes: MEMORY_BYTES }) }, signal);
  }
}

const SHOWN = 50;

/** The one of several names. @throws ToolError */
export function theOnly(names: readonly string[]): string {
  if (names.length === 1) return names[0]!;
  throw new ToolError(
    names.length === 0
      ? 'the store has no repository yet'
      : `name the repository: there are ${names.slice(0, SHOWN).join(', ')}`,
  );
}
