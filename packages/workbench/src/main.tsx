/** Starts the page. */
import { render } from 'preact';
import { App } from './app.js';
import { startRouter } from './router.js';
import { startPreferences } from './state/preferences.js';
import { startBranches } from './state/branch.js';
import { startFeed } from './state/feed.js';
import { startRepository } from './state/repository.js';
import { startRevisions } from './state/revision.js';
import { readSession, restoreToken, signInByLink } from './state/session.js';
import { startTabs } from './state/tabs.js';

startPreferences();
startRouter();
// A page that stands alone names the script that stands in for a server.
const named = (name: string): string | undefined =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
const standIn = named('quadrille-store');
if (standIn)
  (await import('./playground/connect.js')).connect(standIn, named('quadrille-place'), named('quadrille-repository'));
startTabs();
restoreToken();
// Requests without its token would be refused, and ask to sign in.
await signInByLink();
void readSession();
startRepository();
startBranches();
startRevisions();
startFeed();
render(<App />, document.getElementById('app')!);
