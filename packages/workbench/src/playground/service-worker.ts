/**
 * Keeps the files of a playground, so that it works without a network. Each version has a cache of its own. Files whose name has the hash of
 * their content are taken from an earlier cache where it has them. A new version takes over when the user agrees, or all tabs were closed.
 */

/** What the library of types has for pages only. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly request: Request;
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const worker = globalThis as unknown as WorkerScope;
const { scope } = worker.registration;
/** Caches belong to the whole host. */
const OURS = `quadrille playground ${new URL(scope).pathname} `;
const NAME = `${OURS}${PLAYGROUND_VERSION}`;
const AT_ONCE = 3;
const PAGES: ReadonlySet<string> = new Set([scope, `${scope}index.html`]);
/** Whatever else is below the page goes to the network, such as the files of a published store. */
const KEPT: ReadonlySet<string> = new Set([...PAGES, ...PLAYGROUND_FILES.map((file) => new URL(file, scope).href)]);

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', ({ data }) => void (data === 'activate' && worker.skipWaiting()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = request.url.replace(/[?#].*$/, '');
  if (request.method === 'GET' && KEPT.has(url)) event.respondWith(answer(request, url));
});

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  // A few at a time: what the user asks for comes between them.
  const files = PLAYGROUND_FILES.values();
  const some = async (): Promise<void> => {
    for (const file of files) await keep(cache, new URL(file, scope).href);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  await keep(cache, scope, true);
}

async function keep(cache: Cache, url: string, isPage = false): Promise<void> {
  const known = isPage ? undefined : await caches.match(url);
  const response = known ?? (await fetch(url, { cache: isPage ? 'reload' : 'default', credentials: 'same-origin' }));
  if (!response.ok) throw new Error(`${url} was answered with status ${String(response.status)}`);
  await cache.put(url, isPage ? response : await withPolicy(response));
}

/** Workers do not inherit the policy of their page, but have that of their file. */
async function withPolicy(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('Content-Security-Policy', PLAYGROUND_POLICY);
  // The body is not packed any more.
  headers.delete('Content-Encoding');
  return new Response(await response.blob(), { headers });
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OURS) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function answer(request: Request, url: string): Promise<Response> {
  const cache = await caches.open(NAME);
  return (await cache.match(PAGES.has(url) ? scope : url)) ?? fetch(request);
}
