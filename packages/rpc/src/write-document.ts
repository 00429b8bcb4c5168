/** Prints docs/rpc.md: `npm run docs`. */
import { rpcDocument } from './document.js';

process.stdout.write(rpcDocument());
