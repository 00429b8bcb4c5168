// Makes the built page work offline: a service worker keeps all its files, those that are loaded at a first use too.

/** A plugin for Vite. The worker has a new name of its cache where any file has changed. */
export function offline() {
  return {
    name: 'offline',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'script', children: "navigator.serviceWorker?.register('./service-worker.js');", injectTo: 'body' },
    ],
    generateBundle(_options, bundle) {
      // The names of files have hashes of their contents.
      const files = ['./', ...Object.keys(bundle).filter((name) => name !== 'index.html')].sort();
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: worker(files) });
    },
  };
}

const worker = (files) => `
const FILES = ${JSON.stringify(files)};
const CACHE = 'page ' + FILES.join();
addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});
addEventListener('activate', (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) if (name.startsWith('page ') && name !== CACHE) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(drop());
});
addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  // The page itself comes from the network where there is one, so that a new version is seen.
  const kept = () => caches.match(event.request, { ignoreSearch: true });
  const isPage = event.request.mode === 'navigate';
  event.respondWith(isPage ? fetch(event.request).catch(kept) : kept().then((found) => found ?? fetch(event.request)));
});
`;
