/** Who the user is, and what the server can do. The token is kept for the tab alone. */
import { batch, computed, effect, signal } from '@preact/signals';
import { signInNeeded, token } from '../api/client.js';
import { exchangeCode, getSession, getSystem, type SessionRecord, type SystemRecord } from '../api/repositories.js';
import { replaceParameters, route } from '../router.js';
import { store, stored } from './preferences.js';

export const system = signal<SystemRecord | undefined>(undefined);
export const user = signal<SessionRecord | undefined>(undefined);
/** The address of the published store that the page shows; undefined where it shows a server, or data of this browser. */
export const published = signal<string | undefined>(undefined);
/** Whether nothing can be changed, whoever the user is: what writes is not offered. */
export const isReadOnly = computed(() => published.value !== undefined);
/** Grows when the user has signed in: pages read again. */
export const signIns = signal(0);

const session = (): Storage => sessionStorage;

/** Takes the token that the tab had before it was loaded again, and keeps each later one. */
export function restoreToken(): void {
  token.value = stored<string | undefined>('token', undefined, session);
  effect(() => store('token', token.value, session));
}

/** A first start of the server prints a link with a code. It goes from the address at once: it is good for one use. */
export async function signInByLink(): Promise<void> {
  const { code } = route.value.parameters;
  if (code === undefined) return;
  replaceParameters({ code: undefined });
  // An earlier token may not be valid any more, and would be refused with the code.
  const before = token.value;
  token.value = undefined;
  const text = await exchangeCode(code).catch(() => undefined);
  if (text !== undefined) await signIn(text);
  else if (before !== undefined) await signIn(before);
}

/** Reads what the server can do, and who the user is. */
export const readSession = (): Promise<void> => know(getSession().catch(() => undefined));

/** Both are known at once: either alone says nothing of rights. */
async function know(session: Promise<SessionRecord | undefined>): Promise<void> {
  const [who, found] = await Promise.all([session, getSystem().catch(() => system.value)]);
  batch(() => {
    user.value = who;
    system.value = found;
  });
}

/** @returns whether the server knows the token */
export async function signIn(text: string): Promise<boolean> {
  const before = token.value;
  token.value = text.trim();
  try {
    await know(getSession());
  } catch {
    token.value = before;
    return false;
  }
  signInNeeded.value = false;
  signIns.value++;
  return true;
}

export function signOut(): void {
  token.value = undefined;
  user.value = undefined;
  signIns.value++;
  signInNeeded.value = true;
}

/** Whether the user may write at all. A playground has no users. */
export const mayWrite = computed(
  () => !isReadOnly.value && (user.value === undefined ? system.value?.open === true : !user.value.readOnly),
);

/** What tells of changes. A published store has none while it is open. */
const OF_CHANGES: ReadonlySet<string> = new Set(['changes', 'live']);

/** Whether the server has a resource that not every version has. */
export const hasFeature = (name: string): boolean =>
  system.value?.features.includes(name) === true && !(isReadOnly.value && OF_CHANGES.has(name));
