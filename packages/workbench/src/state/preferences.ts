/** What the browser remembers of the user: theme and texts of editors, never results. */
import { effect, signal } from '@preact/signals';

/** A value of the browser's storage; the default where there is none, or where storage is refused. */
export function stored<T>(name: string, fallback: T, storage: () => Storage = () => localStorage): T {
  try {
    const text = storage().getItem(`quadrille.${name}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function store(name: string, value: unknown, storage: () => Storage = () => localStorage): void {
  try {
    if (value === undefined) storage().removeItem(`quadrille.${name}`);
    else storage().setItem(`quadrille.${name}`, JSON.stringify(value));
  } catch {
    // A browser that stores nothing loses the value at the next visit.
  }
}

export type Theme = 'system' | 'light' | 'dark';
export const theme = signal<Theme>('system');
/** Whether single keys do something. */
export const shortcutsOn = signal(true);

/** Called once by the page. */
export function startPreferences(): void {
  theme.value = stored<Theme>('theme', 'system');
  shortcutsOn.value = stored('shortcuts', true);
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === 'system') delete dataset['theme'];
    else dataset['theme'] = theme.value;
    store('theme', theme.value);
  });
  effect(() => store('shortcuts', shortcutsOn.value));
}

/** The colour of a token such as `--ink` in the theme of the page, for drawings, which style sheets do not reach. */
export function colour(token: string): string {
  // The token itself says both colours. An element has one of them.
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Calls back whenever the colours of the page are others. @returns what ends that */
export function followTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  const chosen = theme.subscribe(changed);
  return () => {
    system.removeEventListener('change', changed);
    chosen();
  };
}
