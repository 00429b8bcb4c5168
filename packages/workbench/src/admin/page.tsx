/** Accounts and tokens. Operators see all of them, others the tokens of their own account. */
import { useState } from 'preact/hooks';
import { type AccountRecord, listAccounts, listAudit } from '../api/accounts.js';
import { adminText } from '../messages/admin.js';
import { ago, date, text } from '../messages/en.js';
import { hrefOf, navigate, route } from '../router.js';
import { system, user } from '../state/session.js';
import { ErrorView } from '../terms/problem-view.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';
import { CreateAccount } from './create-account.js';
import { RemoveAccount } from './remove-account.js';
import { Tokens } from './tokens.js';

export function AdminPage() {
  if (user.value === undefined) return <p class="loading">{text.loading}</p>;
  if (user.value.admin) return <Administration />;
  return (
    <div class="column wide">
      <Tokens account={user.value.account ?? ''} heading="h1" onChange={() => undefined} />
    </div>
  );
}

function Administration() {
  const [changes, setChanges] = useState(0);
  const [creating, setCreating] = useState(false);
  const changed = (): void => setChanges((count) => count + 1);
  const accounts = useLoaded(listAccounts, [changes]);
  const { account } = route.value.parameters;
  const shown = accounts.value?.find(({ name }) => name === account);
  return (
    <div class="column wide">
      <div class="title-row">
        <div>
          <h1>{text.pages.admin}</h1>
          <p class="muted">{system.value?.open === true ? adminText.openServer : adminText.lead}</p>
        </div>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {adminText.create}
        </button>
      </div>
      {accounts.error !== undefined && <ErrorView error={accounts.error} onRetry={accounts.again} />}
      {accounts.value === undefined && accounts.loading && <p class="loading">{text.loading}</p>}
      {accounts.value?.length === 0 && <p class="empty-note">{adminText.none}</p>}
      <AccountList accounts={accounts.value ?? []} shown={account} onChange={changed} />
      {shown !== undefined && (
        <Tokens key={shown.name} account={shown.name} operates={shown.admin} heading="h2" onChange={changed} />
      )}
      <Changes count={changes} />
      {creating && (
        <CreateAccount
          onClose={() => setCreating(false)}
          onCreated={(name) => {
            setCreating(false);
            changed();
            navigate(hrefOf('admin', undefined, { account: name }));
          }}
        />
      )}
    </div>
  );
}

interface ListProperties {
  readonly accounts: readonly AccountRecord[];
  readonly shown: string | undefined;
  readonly onChange: () => void;
}

function AccountList({ accounts, shown, onChange }: ListProperties) {
  const [removing, setRemoving] = useState<string | undefined>(undefined);
  if (accounts.length === 0) return null;
  return (
    <>
      <ul class="log accounts">
        {accounts.map(({ name, admin, created }) => (
          <li key={name} class="log-entry">
            <div class="log-text">
              <span class="log-message">
                {name} {admin && <span class="tag">{adminText.operator}</span>}
              </span>
              <span class="log-facts muted">
                <time dateTime={created} title={date(created)}>
                  {adminText.created(ago(created))}
                </time>
              </span>
            </div>
            <div class="row">
              <a
                class="button small"
                href={hrefOf('admin', undefined, { account: name })}
                aria-label={adminText.tokensLinkOf(name)}
                aria-current={name === shown ? 'true' : undefined}
              >
                {adminText.tokensLink}
              </a>
              <button
                type="button"
                class="button small danger"
                aria-label={adminText.removeOf(name)}
                onClick={() => setRemoving(name)}
              >
                {adminText.remove}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {removing !== undefined && (
        <RemoveAccount
          account={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            setRemoving(undefined);
            onChange();
          }}
        />
      )}
    </>
  );
}

const MOST_CHANGES = 20;

function Changes({ count }: { readonly count: number }) {
  const audit = useLoaded(() => listAudit(MOST_CHANGES), [count]);
  if (audit.value === undefined || audit.value.length === 0) return null;
  return (
    <section class="block" aria-label={adminText.audit}>
      <h2>{adminText.audit}</h2>
      <ol class="plain-list">
        {audit.value.map(({ time, account, action, subject }, index) => (
          <li key={`${time} ${String(index)}`}>
            <time class="muted" dateTime={time} title={date(time)}>
              {ago(time)}
            </time>{' '}
            {adminText.auditLine(account, action, subject)}
          </li>
        ))}
      </ol>
    </section>
  );
}
