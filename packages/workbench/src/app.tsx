/** The shell around one page. Pages are loaded when they are first shown. */
import type { ComponentType } from 'preact';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadPart } from './state/load-part.js';
import { text } from './messages/en.js';
import { isOfServer, isPublishable, type PageName, type ServerPage } from './pages.js';
import { route } from './router.js';
import { Banner } from './shell/banner.js';
import { Navigation } from './shell/navigation.js';
import { Notices } from './shell/notices.js';
import { Shortcuts } from './shell/shortcuts.js';
import { SignIn } from './shell/sign-in.js';
import { Timeline } from './shell/timeline.js';
import { TourOffer } from './shell/tour-offer.js';
import { fail, stand } from './state/notices.js';
import { place, repository } from './state/repository.js';
import { hasHistory, isSliding } from './state/revision.js';
import { isReadOnly } from './state/session.js';
import { answerTour, touring } from './state/tour.js';

type Name = PageName | ServerPage;
type Loader = () => Promise<ComponentType>;

/** What shows each page. */
const LOADERS: Readonly<Record<Name, Loader>> = {
  repositories: () => import('./repositories/page.js').then(({ RepositoriesPage }) => RepositoriesPage),
  query: () => import('./query/page.js').then(({ QueryPage }) => QueryPage),
  history: () => import('./history/page.js').then(({ HistoryPage }) => HistoryPage),
  compare: () => import('./history/compare-page.js').then(({ ComparePage }) => ComparePage),
  resource: () => import('./resource/page.js').then(({ ResourcePage }) => ResourcePage),
  import: () => import('./import/page.js').then(({ ImportPage }) => ImportPage),
  activity: () => import('./activity/page.js').then(({ ActivityPage }) => ActivityPage),
  branches: () => import('./branches/page.js').then(({ BranchesPage }) => BranchesPage),
  settings: () => import('./settings/page.js').then(({ SettingsPage }) => SettingsPage),
  shapes: () => import('./shapes/page.js').then(({ ShapesPage }) => ShapesPage),
  admin: () => import('./admin/page.js').then(({ AdminPage }) => AdminPage),
  overview: () => import('./overview/page.js').then(({ OverviewPage }) => OverviewPage),
};

const loaded = signal<Readonly<Partial<Record<Name, ComponentType>>>>({});

async function load(page: Name): Promise<void> {
  if (loaded.value[page] !== undefined) return;
  try {
    const component = await loadPart(LOADERS[page]);
    loaded.value = { ...loaded.value, [page]: component };
  } catch {
    // Its files are gone: the server has another version.
    const action = { label: text.reload, run: () => location.reload() };
    stand({ id: 'version', text: text.otherVersion, action });
  }
}

export function App() {
  const shown = shownPage();
  useEffect(() => void load(shown), [shown]);
  useEffect(() => {
    const place = repository.value === undefined ? '' : `${repository.value} · `;
    document.title = `${text.pages[shown]} · ${place}${text.product}`;
  }, [shown, repository.value]);
  const Page = loaded.value[shown];
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {text.skip}
      </a>
      <Banner />
      <Navigation />
      {repository.value !== undefined && (hasHistory.value || !isReadOnly.value) && <Timeline />}
      <Notices />
      {touring.value ? <Touring /> : <TourOffer />}
      <main id="main" tabIndex={-1} class={`page page-${shown}`} aria-busy={isSliding.value}>
        {Page === undefined ? <p class="loading">{text.loading}</p> : <Page key={place.value} />}
      </main>
      <Shortcuts />
      <SignIn />
    </>
  );
}

/** An address of a page that a published store does not have leads to the next one that it has. */
function shownPage(): Name {
  const { page } = route.value;
  if (!isReadOnly.value || isPublishable(page)) return page;
  return isOfServer(page) ? 'repositories' : 'query';
}

const tour = signal<ComponentType | undefined>(undefined);

/** The tour is fetched when it is taken. */
function Touring() {
  useEffect(() => {
    if (tour.value !== undefined) return;
    loadPart(() => import('./tour/tour.js')).then(
      ({ Tour }) => (tour.value = Tour),
      (error: unknown) => {
        answerTour(false);
        fail(error);
      },
    );
  }, []);
  const Tour = tour.value;
  return Tour === undefined ? null : <Tour />;
}

/** The fragment is the address of the page, so the link moves the focus alone. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
