/** Agents at a server over HTTP: the Model Context Protocol at `/mcp`. */
export { agents, type AgentsOptions } from './http/agents.js';
export type { Documents } from './docs-tool.js';
export type { Toolset } from './tool.js';
