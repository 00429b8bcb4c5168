/** The tabs of a playground: one holds the store and answers the others, by a channel of the browser. */
import { PortClient } from '../api/port/client.js';
import { type Channel, untilFree } from '../api/port/messages.js';
import { playgroundText } from '../messages/playground.js';
import type { Answering } from './answering.js';
import type { StoreState } from './messages.js';
import { type AnswerRequest, serveChannel } from './serve-channel.js';

type TabMessage =
  /** Who holds the store? */
  | { readonly type: 'who' }
  | {
      readonly type: 'leader';
      readonly from: string;
      readonly lock: string;
      readonly version: string;
      readonly state: StoreState;
    }
  /** A tab will send requests. */
  | { readonly type: 'join'; readonly to: string; readonly from: string; readonly lock: string }
  | { readonly type: 'to'; readonly to: string; readonly from: string; readonly message: unknown };

/** This worker among the others. */
export interface Self {
  readonly id: string;
  /** Held as long as this worker lives. */
  readonly lock: string;
  /** Workers of other versions are not asked: their store may have another form. */
  readonly version: string;
}

const OTHER_VERSION = playgroundText.otherVersion;

export class Tabs {
  readonly #listeners = new Map<string, (message: unknown) => void>();
  readonly #channel: BroadcastChannel;
  #leader: string | undefined;
  #leading: { readonly answer: AnswerRequest; readonly state: StoreState } | undefined;

  constructor(
    name: string,
    private readonly self: Self,
    private readonly answering: Answering,
    /** Is told how the tab that answers keeps the data. */
    private readonly onState: (state: StoreState) => void,
  ) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => this.#take(data));
    this.#post({ type: 'who' });
  }

  /** This worker holds the store from now on. */
  lead(answer: AnswerRequest, state: StoreState): void {
    this.#leading = { answer, state };
    this.answering.set(answer);
    this.#announce();
  }

  #announce(): void {
    const { id, lock, version } = this.self;
    if (this.#leading === undefined) return;
    this.#post({ type: 'leader', from: id, lock, version, state: this.#leading.state });
  }

  #take(message: TabMessage): void {
    if (message.type === 'who') this.#announce();
    else if (message.type === 'leader') this.#follow(message);
    else if (message.to !== this.self.id) return;
    else if (message.type === 'join') this.#serve(message);
    else this.#listeners.get(message.from)?.(message.message);
  }

  #follow({ from, lock, version, state }: Extract<TabMessage, { type: 'leader' }>): void {
    if (this.#leading !== undefined || from === this.#leader) return;
    this.#leader = from;
    const isSame = version === this.self.version;
    const answer = isSame ? asks(this.#join(from)) : async () => otherVersion();
    this.answering.set(answer);
    void untilFree(lock).then(() => {
      if (this.#leader === from) this.#leader = undefined;
      this.answering.clear(answer);
    });
    this.onState({ ...state, holder: 'other', isNew: false, ...(isSame ? {} : { failure: OTHER_VERSION }) });
  }

  #join(leader: string): PortClient {
    const client = new PortClient(this.#channelTo(leader));
    this.#post({ type: 'join', to: leader, from: this.self.id, lock: this.self.lock });
    return client;
  }

  #serve({ from, lock }: Extract<TabMessage, { type: 'join' }>): void {
    if (this.#leading === undefined || this.#listeners.has(from)) return;
    const end = serveChannel(this.#channelTo(from), this.#leading.answer, this.self.lock);
    void untilFree(lock).then(() => {
      end();
      this.#listeners.delete(from);
    });
  }

  #channelTo(other: string): Channel {
    return {
      post: (message) => this.#post({ type: 'to', to: other, from: this.self.id, message }),
      listen: (take) => void this.#listeners.set(other, take),
    };
  }

  #post(message: TabMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin to name
    this.#channel.postMessage(message);
  }
}

/** Asks another tab. */
const asks =
  (client: PortClient): AnswerRequest =>
  async ({ request: { url, ...init }, signal, onTaken }) => {
    const response = await client.send(url, { ...init, signal }, onTaken);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body };
  };

const otherVersion = () => ({
  status: 503,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ error: OTHER_VERSION, code: 'OTHER_VERSION' }),
});
