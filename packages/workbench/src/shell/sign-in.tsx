/** The dialog for the token. The page below it keeps its state. */
import { useState } from 'preact/hooks';
import { signInNeeded } from '../api/client.js';
import { text } from '../messages/en.js';
import { signIn } from '../state/session.js';
import { Dialog } from '../ui/dialog.js';

export function SignIn() {
  return signInNeeded.value ? <SignInDialog /> : null;
}

function SignInDialog() {
  const [wrong, setWrong] = useState(false);
  const [token, setToken] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWrong(token.trim() === '' || !(await signIn(token)));
  };
  return (
    <Dialog title={text.signIn} onClose={() => (signInNeeded.value = false)}>
      <p>{text.signInHelp}</p>
      <form onSubmit={(event) => void submit(event)} class="stack">
        <label class="field">
          <span>{text.token}</span>
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token}
            aria-invalid={wrong}
            onInput={({ currentTarget: { value } }) => setToken(value)}
          />
        </label>
        {wrong && (
          <p role="alert" class="field-error">
            {text.wrongToken}
          </p>
        )}
        <div class="row end">
          <button type="submit" class="button primary">
            {text.signIn}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
