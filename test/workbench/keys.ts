/** Typing as people do: one key after the other, through the keyboard of the browser. */
import type { Locator, Page } from 'playwright-core';

/** Makes the processor of a page slower by a factor. */
export async function slowDown(page: Page, factor: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: factor });
}

const EDITOR = { name: 'SPARQL query' } as const;

/** Types another query into the editor, key by key. @param pauseMs between two keys */
export async function typeQuery(page: Page, query: string, pauseMs: number): Promise<void> {
  await page.getByRole('textbox', EDITOR).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(query, { delay: pauseMs });
}

/** The text that the editor shows. */
export const editorText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const lines = document.querySelector('.editor')?.shadowRoot?.querySelectorAll('.cm-line') ?? [];
    return [...lines].map((line) => line.textContent).join('\n');
  });

interface StoredTabs {
  readonly list: readonly { readonly id: string; readonly text: string }[];
  readonly active: string;
}

/** The text that the page has for the tab that is shown. */
export const tabText = (page: Page, repository: string): Promise<string | undefined> =>
  page.evaluate((name) => {
    const all = JSON.parse(localStorage.getItem('quadrille.tabs') ?? '{}') as Record<string, StoredTabs>;
    return all[name]?.list.find(({ id }) => id === all[name]!.active)?.text;
  }, repository);

/** Fields that take text, and are shown. */
export const textFields = (page: Page): Locator =>
  page.locator(
    'input:is([type=text], [type=search], [type=password], [type=url], :not([type])):not([readonly]):visible, textarea:visible',
  );
