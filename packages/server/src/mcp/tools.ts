/** The tools that there are, and what a call of one takes of its limits. */
import { changeTools } from './change-tools.js';
import { dataTools, DEFAULT_TIMEOUT_MS, MOST_TIMEOUT_MS } from './data-tools.js';
import { docsSearch, type Documents } from './docs-tool.js';
import type { Source, Work } from './door.js';
import { addingTools } from './memory/adding-tools.js';
import { deletingTools } from './memory/deleting-tools.js';
import { pastTools } from './memory/past-tools.js';
import { readingTools } from './memory/reading-tools.js';
import { described, type Tool, type Toolset } from './tool.js';

/** All but `docs_search`. */
export const TOOLS: readonly Tool[] = [
  addingTools,
  deletingTools,
  readingTools,
  pastTools,
  dataTools,
  changeTools,
].flatMap((tools) => tools());

export const allTools = (documents: Documents | undefined): readonly Tool[] =>
  documents === undefined ? TOOLS : [...TOOLS, docsSearch(documents)];

/** What `tools/list` says of each tool, also of `docs_search`, with its toolset. */
export const listedTools = (): { readonly toolset: Toolset; readonly listed: object }[] =>
  allTools(() => Promise.resolve(new Uint8Array())).map((tool) => ({
    toolset: tool.toolset,
    listed: described(tool),
  }));

/** What a call takes of its limits. */
export function workOf(tool: Tool, input: object): Work {
  const { query, update, timeoutMs, repository } = input as Source &
    Partial<Record<'query' | 'update', string>> & {
      readonly timeoutMs?: number;
    };
  const access = tool.effect === 'reads' ? 'read' : 'write';
  return {
    ...(repository !== undefined && { repository }),
    ofMemory: tool.toolset === 'memory',
    text: query ?? update ?? tool.name,
    access,
    timeoutMs: timeoutMs ?? (access === 'read' ? DEFAULT_TIMEOUT_MS : MOST_TIMEOUT_MS),
  };
}
