/** A thread with the formats of this package and those that come with `@quadrille/formats`. */
import { createDefaultRegistry } from '@quadrille/formats';
import { runThread } from '@quadrille/formats/worker';
import { registerExtraFormats } from '../formats.js';

const registry = createDefaultRegistry();
registerExtraFormats(registry);
runThread(registry);
