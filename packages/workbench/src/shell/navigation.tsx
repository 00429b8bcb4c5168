/** The pages of a repository. */
import { Icon, type IconName } from '../ui/icon.js';
import { text } from '../messages/en.js';
import { hrefOf, type PageName, route } from '../router.js';
import { at } from '../state/revision.js';
import { repository } from '../state/repository.js';

const PAGES: readonly (readonly [PageName, IconName])[] = [
  ['query', 'query'],
  ['history', 'clock'],
  ['overview', 'overview'],
];

export function Navigation() {
  const { page } = route.value;
  const shown = page === 'compare' ? 'history' : page;
  return (
    <nav class="navigation" aria-label={text.main}>
      {PAGES.map(([name, icon]) => (
        <a
          key={name}
          href={hrefOf(name, repository.value, { at: at.value })}
          aria-current={shown === name ? 'page' : undefined}
        >
          <Icon name={icon} />
          {text.pages[name]}
        </a>
      ))}
    </nav>
  );
}
