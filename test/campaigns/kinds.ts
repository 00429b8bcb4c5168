/** All kinds of campaigns, by name. Each is loaded when it runs. */
import type { Kind } from './kind.js';

export const KINDS: Readonly<Record<string, () => Promise<{ readonly kind: Kind }>>> = {
  model: () => import('./kinds/model.js'),
  copies: () => import('./kinds/copies.js'),
  kill: () => import('./kinds/kill.js'),
  power: () => import('./kinds/power.js'),
  fault: () => import('./kinds/fault.js'),
  stack: () => import('./kinds/stack.js'),
  corruption: () => import('./kinds/corruption.js'),
  backup: () => import('./kinds/backup.js'),
  'full-disk': () => import('./kinds/full-disk.js'),
  memory: () => import('./kinds/memory.js'),
  clock: () => import('./kinds/clock.js'),
  query: () => import('./kinds/query.js'),
  metamorphic: () => import('./kinds/metamorphic.js'),
  shapes: () => import('./kinds/shapes.js'),
  parser: () => import('./kinds/parser.js'),
  http: () => import('./kinds/http.js'),
  rpc: () => import('./kinds/rpc.js'),
  agents: () => import('./kinds/agents.js'),
  concurrency: () => import('./kinds/concurrency.js'),
  soak: () => import('./kinds/soak.js'),
  upgrade: () => import('./kinds/upgrade.js'),
  promotion: () => import('./kinds/promotion.js'),
  'server-kill': () => import('./kinds/server-kill.js'),
};

export async function kindOf(name: string): Promise<Kind | undefined> {
  if (!Object.hasOwn(KINDS, name)) return undefined;
  return (await KINDS[name]!()).kind;
}
