/** Keeps the files of the page for times without a network, and offers a newer version of them. */
import { scriptAddress } from '../rows/script-address.js';
import { playgroundText } from '../messages/playground.js';
import { stand } from '../state/notices.js';

const SCRIPT = 'sw.js';

/** Does nothing where the browser keeps no files: in pages without https, and in some private windows. */
export async function keepFiles(): Promise<void> {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (serviceWorker === undefined) return;
  const wasKept = serviceWorker.controller !== null;
  // Files of the new version cannot be read by the page of the old one.
  serviceWorker.addEventListener('controllerchange', () => void (wasKept && location.reload()));
  try {
    const address = scriptAddress(new URL(SCRIPT, document.baseURI));
    const registration = await serviceWorker.register(address, { updateViaCache: 'none' });
    const look = (): void => {
      const { waiting } = registration;
      if (waiting !== null && serviceWorker.controller !== null) offer(waiting);
    };
    look();
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
  } catch {
    // The page works as long as there is a network.
  }
}

function offer(waiting: ServiceWorker): void {
  const run = (): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have no origin to name
    waiting.postMessage('activate');
  };
  stand({ id: 'version', text: playgroundText.newVersion, action: { label: playgroundText.reload, run } });
}
