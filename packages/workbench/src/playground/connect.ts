/** The page of a playground: a worker with the data stands in for the server. */
import { effect } from '@preact/signals';
import { type Transport, useTransport, type Way } from '../api/client.js';
import { type OnTaken, PortClient } from '../api/port/client.js';
import { channelOf } from '../api/port/messages.js';
import { scriptAddress } from '../rows/script-address.js';
import { playgroundText } from '../messages/playground.js';
import { hrefOf, navigate, route } from '../router.js';
import { stand } from '../state/notices.js';
import { repositories } from '../state/repository.js';
import { published } from '../state/session.js';
import type { FromStoreWorker, StoreState, ToStoreWorker } from './messages.js';
import { keepFiles } from './offline.js';

const EXAMPLE = 'demo/solar-system';
/** A worker that has ended is started again after growing pauses. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** One that lived so long was no failed start. */
const LIVED_MS = 60_000;
/** After a published store was opened, its first query has so long before the files of the page are kept. */
const KEEPS_AFTER_MS = 2000;

let isKeeping = false;

/**
 * Sends all requests of the page to a worker. `script` is the address of its file, seen from the page. `site` is the address of the published
 * store that the page belongs to; without it the address of the page may name one. `repository` is its only one.
 */
export function connect(script: string, site: string | undefined, repository: string | undefined): void {
  const place = site === undefined ? route.value.parameters['open'] : new URL(site, document.baseURI).href;
  published.value = place;
  const onState = (state: StoreState): void => {
    showState(state);
    // Whoever comes for the first time waits for an answer, and not for files that he may need later.
    if (site !== undefined && !isKeeping) setTimeout(() => void keepFiles(), KEEPS_AFTER_MS);
    isKeeping = true;
  };
  const link = new StoreLink(new URL(script, document.baseURI), place, onState);
  if (site === undefined) followAddress(place);
  if (repository && route.value.page === 'repositories') replaceAddress(hrefOf('query', repository));
  if (place !== undefined) showOnlyRepository();
  useTransport(link);
  if (site === undefined) void keepFiles();
  // A page that the browser keeps for going back would hold the store.
  addEventListener('pagehide', ({ persisted }) => persisted && link.stop());
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

/** Another store is another page. */
function followAddress(place: string | undefined): void {
  const ownData = { label: playgroundText.ownData, run: () => void (location.hash = '#/') };
  if (place !== undefined) stand({ id: 'published', text: playgroundText.published(place), action: ownData });
  effect(() => {
    if (route.value.parameters['open'] !== place) location.reload();
  });
}

/** Of a store with one repository nobody has to choose. */
function showOnlyRepository(): void {
  effect(() => {
    const [first, ...others] = repositories.value ?? [];
    if (route.value.repository !== undefined || first === undefined || others.length > 0) return;
    replaceAddress(hrefOf('query', first.repository_id));
  });
}

function replaceAddress(href: string): void {
  history.replaceState(null, '', href);
  navigate(href);
}

function showState({ unkept, failure, isNew }: StoreState): void {
  stand({ id: 'unkept', text: unkept === undefined ? undefined : playgroundText.unkept(unkept) });
  const reload = { label: playgroundText.reload, run: () => location.reload() };
  stand({ id: 'failure', text: failure, action: reload });
  // A first visitor sees a query at once.
  if (isNew && route.value.page === 'repositories' && !location.hash.startsWith('#/')) {
    navigate(hrefOf('query', EXAMPLE));
  }
}

class StoreLink implements Transport {
  #worker!: Worker;
  #client!: PortClient;
  #startedMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #ways = 0;
  #isStopped = false;
  #isDown = false;
  #connecting: (() => void)[] = [];
  #asksToKeep = true;

  constructor(
    private readonly script: URL,
    private readonly published: string | undefined,
    private readonly onState: (state: StoreState) => void,
  ) {
    this.#start();
  }

  async send(url: string, init: RequestInit, onTaken?: OnTaken): Promise<Response> {
    const response = await this.#client.send(url, init, onTaken);
    if (this.#asksToKeep && response.ok && isChange(init)) {
      this.#asksToKeep = false;
      askToKeep();
    }
    return response;
  }

  open(): Way {
    const id = this.#ways++;
    const { port1, port2 } = new MessageChannel();
    const connecting = (): void => post(this.#worker, { type: 'connect', id, port: port2 }, [port2]);
    // What is sent meanwhile waits in the port.
    if (this.#isDown) this.#connecting.push(connecting);
    else connecting();
    return { port: port1, close: () => post(this.#worker, { type: 'disconnect', id }) };
  }

  stop(): void {
    this.#isStopped = true;
    this.#worker.terminate();
  }

  #start(): void {
    this.#startedMs = performance.now();
    this.#worker = new Worker(scriptAddress(this.script), { type: 'module', name: 'store' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromStoreWorker>) => this.onState(data.state));
    post(this.#worker, { type: 'start', published: this.published });
    this.#isDown = false;
    for (const connecting of this.#connecting.splice(0)) connecting();
    const client = new PortClient(channelOf(this.open().port));
    this.#client = client;
    client.onLost = () => this.#startAgain();
    // Its script could not be loaded, or has failed at once. A later error is of one request.
    this.#worker.addEventListener('error', () => client.heard || client.lose(playgroundText.workerFailed));
  }

  #startAgain(): void {
    this.#worker.terminate();
    this.#isDown = true;
    if (this.#isStopped) return;
    if (performance.now() - this.#startedMs > LIVED_MS) this.#pauseMs = FIRST_PAUSE_MS;
    setTimeout(() => this.#start(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }
}

function post(worker: Worker, message: ToStoreWorker, handedOver: Transferable[] = []): void {
  worker.postMessage(message, handedOver);
}

const isChange = ({ method = 'GET', headers }: RequestInit): boolean =>
  method !== 'GET' && !(new Headers(headers).get('Content-Type') ?? '').startsWith('application/sparql-query');

/** Browsers delete what pages have stored when room is short, unless the page asks them not to. Some ask the user. */
function askToKeep(): void {
  const { storage } = navigator as Partial<Navigator>;
  storage?.persist?.().catch(() => undefined);
}
