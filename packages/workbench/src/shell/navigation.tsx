/** The pages of a repository. */
import { Icon, type IconName } from '../ui/icon.js';
import { text } from '../messages/en.js';
import { hrefOf, type PageName, route } from '../router.js';
import { at } from '../state/revision.js';
import { lastRepository } from '../state/repository.js';

const PAGES: readonly (readonly [PageName | 'activity', IconName])[] = [
  ['query', 'query'],
  ['history', 'clock'],
  ['overview', 'overview'],
  ['import', 'import'],
  ['activity', 'activity'],
  ['settings', 'settings'],
];

export function Navigation() {
  const { page } = route.value;
  const shown = page === 'compare' ? 'history' : page;
  return (
    <nav class="navigation" aria-label={text.main}>
      {PAGES.filter(([name]) => name === 'activity' || lastRepository.value !== undefined).map(([name, icon]) => (
        <a
          key={name}
          href={name === 'activity' ? hrefOf(name) : hrefOf(name, lastRepository.value, { at: at.value })}
          aria-current={shown === name ? 'page' : undefined}
        >
          <Icon name={icon} />
          {text.pages[name]}
        </a>
      ))}
    </nav>
  );
}
