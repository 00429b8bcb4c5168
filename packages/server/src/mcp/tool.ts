/** A tool: what a client is told of it, and what it does. */
import type { QueryOptions, Revision } from 'quadrille';
import type { RecordChange } from 'quadrille/host';
import type { Access, Door } from './door.js';
import type { InputSchema } from './input.js';
import type { MemoryWriter } from './memory/write.js';
import type { Commit, Made } from './origin.js';
import type { Cursors } from './page.js';
import type { ToolResult } from './tool-result.js';

/** What the calls of a session share. */
export interface ToolContext {
  /** Whether texts that look like secrets are kept. */
  readonly allowSecrets: boolean;
  /** What the session has made, the newest last. */
  readonly made: Made[];
  readonly cursors: Cursors;
  readonly writer: MemoryWriter;
}

/** What a call has, beside its input. */
export interface Call {
  readonly context: ToolContext;
  readonly door: Door;
  readonly signal: AbortSignal;
  /** For queries and updates. */
  readonly limits: QueryOptions;
  /** The right that the tool needs. */
  readonly access: Access;
  readonly commit: Commit;
  /** Records that are written with the one revision of a tool. */
  readonly records?: (revision: Revision, repository: string, result: ToolResult) => readonly RecordChange[];
}

export type Toolset = 'memory' | 'data' | 'change';

/** What a tool does to its store, as hints for the client. */
export type Effect = 'reads' | 'adds' | 'destroys';

export interface Tool {
  readonly name: string;
  readonly toolset: Toolset;
  readonly title: string;
  readonly description: string;
  readonly input: InputSchema;
  /** The schema of the structured result, as JSON Schema. Default: any object. */
  readonly output?: object;
  readonly effect: Effect;
  /** What it changes is one commit of {@link MemoryWriter}. Default false. */
  readonly isOneChange?: boolean;
  /** False: it asks no repository, and needs no right to one. Default true. */
  readonly needsStore?: false;
  /** `input` has passed the check of its schema. */
  run(input: never, call: Call): Promise<ToolResult>;
}

const HINTS: Readonly<Record<Effect, object>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destroys: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** What `tools/list` says of a tool. */
export const described = ({ name, title, description, input, output, effect }: Tool): object => ({
  name,
  title,
  description,
  inputSchema: {
    type: 'object',
    properties: input.properties,
    required: input.required ?? [],
    additionalProperties: false,
  },
  ...(output && { outputSchema: output }),
  annotations: { title, ...HINTS[effect] },
});
