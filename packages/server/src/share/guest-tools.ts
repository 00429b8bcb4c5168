/** Tools of agents that a guest lets the holder run. */
import { Requests } from '@quadrille/client';
import type { ForwardedAnswer, ForwardedToStore, ForwardsTools } from '../mcp/forward/forwarded-calls.js';
import { READING_TOOLS, WRITING_TOOLS } from './protocol.js';

type Forward = NonNullable<ForwardsTools[keyof ForwardsTools]>;

/** @param server requests of any place of the store */
export function toolsOfHolder({ place }: Requests): Forward {
  const requests = new Requests({ ...place, url: new URL(place.url).origin, branch: undefined });
  return async (call: ForwardedToStore, writes: boolean, signal: AbortSignal): Promise<ForwardedAnswer> => {
    const path = writes ? WRITING_TOOLS : READING_TOOLS;
    const response = await requests.send({ method: 'POST', path, json: call, signal });
    return (await response.json()) as ForwardedAnswer;
  };
}
