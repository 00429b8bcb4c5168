/** Prints docs/reference/rpc.md: `npm run docs`. */
import { rpcDocument } from './document.js';

process.stdout.write(rpcDocument());
