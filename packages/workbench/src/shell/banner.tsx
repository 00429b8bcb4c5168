/** The top of every page: where the user is, and who. */
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { text } from '../messages/en.js';
import { hrefOf, navigate } from '../router.js';
import { type Theme, theme } from '../state/preferences.js';
import { lastRepository, place, readRepositories, repositories } from '../state/repository.js';
import { BranchPicker } from './branch-picker.js';
import { Find } from './find.js';
import { helpOpen } from './shortcuts.js';
import { hasFeature, signOut, system, user } from '../state/session.js';

export function Banner() {
  return (
    <header class="banner">
      <a class="brand" href={hrefOf('repositories')} aria-label={text.product}>
        <Mark />
        <span>{text.product}</span>
      </a>
      <Chooser />
      <BranchPicker />
      <Find key={place.value} />
      <span class="spring" />
      <button
        type="button"
        class="button quiet square wide-only"
        aria-label={text.shortcuts}
        title={text.shortcuts}
        onClick={() => (helpOpen.value = true)}
      >
        <Icon name="help" />
      </button>
      <Menu label={text.theme} class="button quiet square" commands={themes()}>
        <Icon name="theme" />
      </Menu>
      {user.value !== undefined && system.value?.open !== true && (
        <Menu
          label={text.account(user.value.account ?? text.operator)}
          class="button quiet"
          commands={accountCommands()}
        >
          <Icon name="user" />
          <span class="wide-only">{user.value.account ?? text.operator}</span>
        </Menu>
      )}
    </header>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect x="3" y="3" width="12" height="12" rx="3" />
      <rect x="17" y="3" width="12" height="12" rx="3" class="faint" />
      <rect x="3" y="17" width="12" height="12" rx="3" class="faint" />
      <rect x="17" y="17" width="12" height="12" rx="6" class="warm" />
    </svg>
  );
}

function Chooser() {
  const known = repositories.value?.map(({ repository_id: id }) => id) ?? [];
  const current = lastRepository.value ?? '';
  // A link may lead to a repository that is not in the list, such as a public one.
  const all = current === '' || known.includes(current) ? known : [current, ...known];
  return (
    <span class="chooser">
      <select
        aria-label={text.repository}
        value={current}
        onFocus={() => void readRepositories()}
        onChange={({ currentTarget: { value } }) =>
          navigate(value === '' ? hrefOf('repositories') : hrefOf('query', value))
        }
      >
        <option value="">{text.chooseRepository}</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}

function accountCommands() {
  const { account, readOnly } = user.value!;
  const mayOwn = account !== null && !readOnly && hasFeature('accounts');
  const tokens = { label: text.yourTokens, run: () => navigate(hrefOf('admin', undefined, { account: account! })) };
  return [...(mayOwn ? [tokens] : []), { label: text.signOut, run: signOut }];
}

const themes = () =>
  (['system', 'light', 'dark'] as const satisfies readonly Theme[]).map((name) => ({
    label: text.themes[name],
    checked: theme.value === name,
    run: () => void (theme.value = name),
  }));
