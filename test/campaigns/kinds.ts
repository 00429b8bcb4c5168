/** All kinds of campaigns, by name. Each is loaded when it runs. */
import type { Kind } from './kind.js';

export const KINDS: Readonly<Record<string, () => Promise<{ readonly kind: Kind }>>> = {
  model: () => import('./kinds/model.js'),
};

export async function kindOf(name: string): Promise<Kind | undefined> {
  if (!Object.hasOwn(KINDS, name)) return undefined;
  return (await KINDS[name]!()).kind;
}
