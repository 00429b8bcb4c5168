/** Calls of tools between a session and the process that holds its store. */
import type { Made } from '../origin.js';
import type { ToldError, ToolResult } from '../tool-result.js';

/** The repositories that a program of the user has chosen. */
export interface StoreNames {
  /** For calls that name none. Default: the only one of the store. */
  readonly repository?: string;
  /** For the memory. Default `memory/graph`. */
  readonly memory?: string;
}

/** The member by which the database of a guest runs them. */
export const TOOLS_OF_HOLDER = Symbol.for('quadrille.tools');

/** What a session tells of itself. */
export interface ForwardedSession {
  readonly id: string;
  readonly client: string;
  /** Of its cursors. */
  readonly secret: string;
  readonly allowSecrets: boolean;
}

/** A call of a tool whose input was checked. */
export interface ForwardedCall {
  readonly tool: string;
  readonly input: object;
  readonly session: ForwardedSession;
}

/** A call with the repositories that its session has chosen. */
export interface ForwardedToStore extends ForwardedCall {
  readonly names: StoreNames & { readonly hasMemory: boolean };
}

export type ForwardedAnswer =
  | { readonly result: ToolResult; readonly made: readonly Made[] }
  | { readonly error: ToldError };

/** What the database of a guest has. */
export interface ForwardsTools {
  readonly [TOOLS_OF_HOLDER]?: (
    call: ForwardedToStore,
    writes: boolean,
    signal: AbortSignal,
  ) => Promise<ForwardedAnswer>;
}
