/** A thread with the formats of this package. */
import { createDefaultRegistry } from '../formats.js';
import { runThread } from './run-thread.js';

runThread(createDefaultRegistry());
