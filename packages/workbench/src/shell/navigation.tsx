/** The pages of a repository, and those of the server. On narrow screens the later ones are in a menu. */
import { Icon } from '../ui/icon.js';
import { type Command, Menu } from '../ui/menu.js';
import { text } from '../messages/en.js';
import { isOfServer, isPublishable, NAVIGATION, type PageName, type ServerPage } from '../pages.js';
import { hrefOf, navigate, route } from '../router.js';
import { at, hasHistory } from '../state/revision.js';
import { lastBranch, lastRepository } from '../state/repository.js';
import { hasFeature, isReadOnly, user } from '../state/session.js';
import { answerTour } from '../state/tour.js';

/** The number of entries in the bar of a narrow screen. */
const FIRST = 4;

function isOffered(name: PageName | ServerPage): boolean {
  if (isReadOnly.value && (!isPublishable(name) || (name === 'history' && !hasHistory.value))) return false;
  if (name === 'admin') return user.value?.admin === true && hasFeature('accounts');
  return isOfServer(name) || (lastRepository.value !== undefined && route.value.page !== 'repositories');
}

const addressOf = (name: PageName | ServerPage): string =>
  isOfServer(name) ? hrefOf(name) : hrefOf(name, lastRepository.value, { at: at.value, branch: lastBranch.value });

export function Navigation() {
  const { page } = route.value;
  const shown = page === 'compare' || page === 'branches' ? 'history' : page;
  const pages = NAVIGATION.filter(({ name }) => isOffered(name));
  const later = pages.length > FIRST + 1 ? pages.slice(FIRST) : [];
  const commands = later.map(({ name }): Command => ({
    label: text.pages[name],
    run: () => navigate(addressOf(name)),
    ...(shown === name ? { checked: true } : {}),
  }));
  // Where the screen has no place for the help.
  const tour: Command = { label: text.tour.take, run: () => answerTour(true) };
  return (
    <nav class="navigation" aria-label={text.main}>
      {pages.map(({ name, icon }, index) => (
        <a
          key={name}
          class={later.length > 0 && index >= FIRST ? 'wide-only' : undefined}
          href={addressOf(name)}
          aria-current={shown === name ? 'page' : undefined}
        >
          <Icon name={icon} />
          {text.pages[name]}
        </a>
      ))}
      {commands.length > 0 && (
        <span class="narrow-only" data-current={later.some(({ name }) => name === shown)}>
          <Menu label={text.more} class="more" commands={isReadOnly.value ? commands : [...commands, tour]}>
            <Icon name="more" />
            {text.more}
          </Menu>
        </span>
      )}
    </nav>
  );
}
