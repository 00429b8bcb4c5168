// Lets Node run the sources: `node --import ./test/campaigns/typescript.mjs FILE.ts`. Campaigns try the sources, as the tests do, at full speed.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
