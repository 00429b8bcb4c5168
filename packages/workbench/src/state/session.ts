/** Who the user is, and what the server can do. The token is kept for the tab alone. */
import { effect, signal } from '@preact/signals';
import { signInNeeded, token } from '../api/client.js';
import { getSystem, getUser, type SystemRecord } from '../api/repositories.js';
import { store, stored } from './preferences.js';

export const system = signal<SystemRecord | undefined>(undefined);
export const user = signal<{ readonly name: string; readonly admin: boolean } | undefined>(undefined);
/** Grows when the user has signed in: pages read again. */
export const signIns = signal(0);

const session = (): Storage => sessionStorage;

/** Called once by the page. */
export async function startSession(): Promise<void> {
  token.value = stored<string | undefined>('token', undefined, session);
  effect(() => store('token', token.value, session));
  system.value = await getSystem().catch(() => undefined);
  await readUser();
}

async function readUser(): Promise<void> {
  user.value = await getUser().catch(() => undefined);
}

/** @returns whether the server knows the token */
export async function signIn(text: string): Promise<boolean> {
  const before = token.value;
  token.value = text.trim();
  try {
    user.value = await getUser();
  } catch {
    token.value = before;
    return false;
  }
  signInNeeded.value = false;
  signIns.value++;
  system.value = await getSystem().catch(() => system.value);
  return true;
}

export function signOut(): void {
  token.value = undefined;
  user.value = undefined;
  signIns.value++;
  signInNeeded.value = true;
}

/** Whether the server has a resource that not every version has. */
export const hasFeature = (name: string): boolean => system.value?.features.includes(name) === true;
