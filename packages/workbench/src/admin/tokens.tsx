/** The tokens of one account. */
import { useState } from 'preact/hooks';
import { listTokens, revokeToken, type TokenRecord } from '../api/accounts.js';
import { asProblem, type Problem } from '../api/errors.js';
import { token as sent } from '../api/client.js';
import { adminText } from '../messages/admin.js';
import { ago, date } from '../messages/en.js';
import { status } from '../state/notices.js';
import { ErrorView, ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';
import { CreateToken } from './create-token.js';

interface Properties {
  readonly account: string;
  /** Whether the account may operate the server. */
  readonly operates?: boolean;
  /** Of the page or of a part of it. */
  readonly heading: 'h1' | 'h2';
  readonly onChange: () => void;
}

export function Tokens({ account, operates = false, heading: Heading, onChange }: Properties) {
  const [changes, setChanges] = useState(0);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<TokenRecord | undefined>(undefined);
  const tokens = useLoaded(() => listTokens(account), [account, changes]);
  const changed = (): void => {
    setChanges((count) => count + 1);
    onChange();
  };
  return (
    <section class="block" aria-label={adminText.tokens(account)}>
      <div class="title-row">
        <div>
          <Heading>{adminText.tokens(account)}</Heading>
          <p class="muted">{adminText.tokensHelp}</p>
        </div>
        <button type="button" class="button" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {adminText.newToken}
        </button>
      </div>
      {tokens.error !== undefined && <ErrorView error={tokens.error} onRetry={tokens.again} />}
      {tokens.value?.length === 0 && <p class="muted">{adminText.noTokens}</p>}
      {(tokens.value?.length ?? 0) > 0 && (
        <ul class="log">
          {tokens.value!.map((token) => (
            <Row key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      {creating && (
        <CreateToken account={account} operates={operates} onCreated={changed} onClose={() => setCreating(false)} />
      )}
      {revoking !== undefined && (
        <Revoke
          account={account}
          token={revoking}
          onClose={() => setRevoking(undefined)}
          onRevoked={() => {
            setRevoking(undefined);
            changed();
          }}
        />
      )}
    </section>
  );
}

/** The first part of a token is its id. */
const isOwn = (id: string): boolean => sent.value?.startsWith(`qdt_${id}_`) === true;
const nameOf = ({ label, id }: TokenRecord): string => label ?? id;

function Row({ token, onRevoke }: { readonly token: TokenRecord; readonly onRevoke: () => void }) {
  const { id, label, rights, created, expires } = token;
  const expired = expires !== null && Date.parse(expires) <= Date.now();
  return (
    <li class="log-entry">
      <div class="log-text">
        <span class="log-message">
          {label ?? <span class="muted">{adminText.noLabel}</span>}{' '}
          {rights.map((right) => (
            <span key={right} class="tag">
              {adminText.right[right]}
            </span>
          ))}
          {isOwn(id) && <span class="tag own">{adminText.inUse}</span>}
        </span>
        <span class="log-facts muted">
          <code>{id}</code> ·{' '}
          <time dateTime={created} title={date(created)}>
            {adminText.created(ago(created))}
          </time>{' '}
          · {expires === null ? adminText.never : expired ? adminText.expiredAt(expires) : adminText.expiresAt(expires)}
        </span>
      </div>
      <button
        type="button"
        class="button small danger"
        aria-label={adminText.revokeOf(nameOf(token))}
        onClick={onRevoke}
      >
        {adminText.revoke}
      </button>
    </li>
  );
}

interface RevokeProperties {
  readonly account: string;
  readonly token: TokenRecord;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function Revoke({ account, token, onClose, onRevoked }: RevokeProperties) {
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await revokeToken(account, token.id);
      status.value = adminText.revoked(nameOf(token));
      onRevoked();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={adminText.revokeOf(nameOf(token))} onClose={onClose}>
      <p>{adminText.revokeHelp}</p>
      {isOwn(token.id) && <p class="notice warning">{adminText.revokeOwn}</p>}
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={adminText.revoke} onClose={onClose} danger />
      </form>
    </Dialog>
  );
}
