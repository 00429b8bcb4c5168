/** The feed of new revisions. */
import { parametersOf, request } from '../client.js';

/** The beginning of the line that begins an event of a revision, also where only its address is told. */
const EVENT = 'event: revision';

/**
 * Reads the feed until the server ends it, the connection is lost or the signal is aborted. What has changed is in the events too, but is
 * not kept: pages read what they show.
 * @param since the UUID of the revision after which the feed begins
 * @param onOpen called when the server has begun the feed
 * @throws ApiError; TypeError where the connection is lost; AbortError on the signal
 */
export async function readFeed(
  repository: string,
  since: string,
  { onOpen, onRevision, signal }: FeedOptions,
): Promise<void> {
  const init = { headers: { Accept: 'text/event-stream' }, signal };
  const response = await request(`${repository}/changes${parametersOf({ since })}`, init, 'never');
  onOpen();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  // The beginning of a line that is not complete yet; more of it is not needed.
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!.slice(0, EVENT.length);
    if (lines.some((line) => line.startsWith(EVENT))) onRevision();
  }
}

export interface FeedOptions {
  readonly onOpen: () => void;
  readonly onRevision: () => void;
  readonly signal: AbortSignal;
}
