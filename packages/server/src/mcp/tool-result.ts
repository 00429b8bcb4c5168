/** What a call of a tool gives. */

export interface ToolResult {
  readonly structured: Readonly<Record<string, unknown>>;
  /** What the model reads. Default: the structured result as JSON. */
  readonly text?: string;
}

/** An error, as a client is told of it. */
export interface ToldError {
  readonly code: string;
  readonly message: string;
}
