/** Reads server-sent events, as the HTML standard describes them. */

/** An event whose `data` is empty only tells an id, or the time to come back. */
export interface ServerEvent {
  /** The last id that was told; empty if there was none. */
  readonly id: string;
  readonly type: string;
  /** Without the last line break. */
  readonly data: string;
  /** Milliseconds after which to come back, if this event tells them. */
  readonly retry: number | undefined;
}

/** The complete events of a text that comes in pieces. One that is cut off is left out. */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let id = '';
  let fields: [name: string, value: string][] = [];
  for await (const line of linesOf(pieces)) {
    if (line !== '') {
      fields.push(fieldOf(line));
      continue;
    }
    const all = (name: string): string[] => fields.filter(([each]) => each === name).map(([, value]) => value);
    id = all('id').at(-1) ?? id;
    const retry = all('retry').at(-1);
    yield {
      id,
      type: all('event').at(-1) ?? 'message',
      data: all('data').join('\n'),
      retry: retry !== undefined && /^\d{1,9}$/.test(retry) ? Number(retry) : undefined,
    };
    fields = [];
  }
}

/** A comment has an empty name. */
function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/** The complete lines, without their ends. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const piece of pieces) {
    const [first = '', ...lines] = piece.split('\n');
    parts.push(first);
    for (const next of lines) {
      yield parts.join('').replace(/\r$/, '');
      parts = [next];
    }
  }
}
