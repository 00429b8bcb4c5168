/** The page of accounts and tokens in Chromium: for operators, and for owners of an account. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, sideways, SOLAR, soon, violations } from './scene.js';

describe.skipIf(CHROMIUM === undefined)(`accounts in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let operator: string;
  beforeAll(async () => {
    scene = await openScene({ asks: true });
    await scene.service.accounts.create('root', { admin: true });
    operator = (await scene.service.tokens.create('root', { name: 'of the test' })).text;
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  async function signedIn(token: string, address: string, options = {}): Promise<Page> {
    const page = await scene.page('', options);
    await page.getByRole('dialog', { name: 'Sign in' }).getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account' }).waitFor();
    await page.goto(`${scene.server.url}/#/${address}`);
    return page;
  }

  const statusOf = async (token: string, path: string): Promise<number> => {
    const answer = await fetch(`${scene.server.url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    return answer.status;
  };

  test('an account is made, gets a token that works at once, and loses it; then it is deleted', async () => {
    const page = await signedIn(operator, '');
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('button', { name: 'New account' }).click();
    const creating = page.getByRole('dialog', { name: 'New account' });
    await creating.getByLabel('Name', { exact: true }).fill('No name');
    await creating.getByRole('button', { name: 'Create account' }).click();
    await soon(() => creating.getByRole('alert').innerText()).toContain('a-z');
    await creating.getByLabel('Name', { exact: true }).fill('acme');
    await creating.getByRole('button', { name: 'Create account' }).click();
    const tokens = page.getByRole('region', { name: 'Tokens of acme' });
    await tokens.getByText('This account has no tokens.').waitFor();
    expect(page.url()).toContain('#/admin?account=acme');

    await tokens.getByRole('button', { name: 'New token' }).click();
    const making = page.getByRole('dialog', { name: 'New token' });
    await making.getByLabel('Label').fill('nightly <import>');
    await making.getByLabel('Rights').selectOption('read');
    await making.getByRole('button', { name: 'Create token' }).click();
    const made = await making.getByLabel('New token text').inputValue();
    expect(made).toMatch(/^qdt_/);
    expect(await statusOf(made, '/acme/repositories')).toBe(200);
    await making.getByRole('button', { name: 'Done' }).click();
    await soon(() => tokens.innerText()).toMatch(/nightly <import>\s*read[^]*expires/);
    expect(await page.content()).not.toContain(made);
    expect((await scene.service.tokens.list('acme')).map(({ rights }) => rights)).toEqual([['read']]);

    await tokens.getByRole('button', { name: 'Revoke nightly <import>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await tokens.getByText('This account has no tokens.').waitFor();
    expect(await statusOf(made, '/acme/repositories')).toBe(401);
    await soon(() => page.getByRole('region', { name: 'Recent changes' }).innerText()).toMatch(
      /root · token\.revoke · acme\//,
    );

    await scene.database.repository('acme/data', { create: true });
    await page.getByRole('button', { name: 'Delete acme' }).click();
    const removing = page.getByRole('dialog', { name: 'Delete acme' });
    await removing.getByLabel('Type acme to go on').fill('acme');
    await removing.getByLabel('Also delete its repository').waitFor();
    expect(await removing.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await removing.getByLabel('Also delete its repository').check();
    await removing.getByRole('button', { name: 'Delete' }).click();
    await soon(() => page.getByRole('button', { name: 'Delete acme' }).count()).toBe(0);
    expect(await scene.service.accounts.get('acme')).toBeUndefined();
    expect(await scene.database.accounts.list().toArray()).not.toContain('acme');
  });

  test('the new token is copied, and is in no storage and no address', async () => {
    const page = await signedIn(operator, 'admin?account=demo');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Expires').fill('');
    await page.getByRole('button', { name: 'Create token' }).click();
    const made = await page.getByLabel('New token text').inputValue();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(made);
    expect(page.url()).not.toContain('qdt_');
    const [token] = (await scene.service.tokens.list('demo')).slice(-1);
    expect([token!.expires, token!.rights]).toEqual([undefined, ['read', 'write']]);
  });

  test('an owner finds its own tokens in the account menu, and no page of others', async () => {
    const own = (await scene.service.tokens.create('demo', { name: 'mine' })).text;
    const page = await signedIn(own, `${SOLAR}/query`);
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Your tokens' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tokens of demo' }).waitFor();
    await soon(() => page.locator('.log-entry', { hasText: 'mine' }).innerText()).toContain('in use here');
    await page.getByRole('button', { name: 'New token' }).click();
    await soon(() => page.getByLabel('Rights').locator('option').allInnerTexts()).toHaveLength(4);
    await page.keyboard.press('Escape');
    await page.goto(`${scene.server.url}/#/admin?account=root`);
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Tokens of demo');
  });

  test('a token that may only read has no menu of tokens; what the server refuses is said', async () => {
    const { text } = await scene.service.tokens.create('demo', { readOnly: true });
    const page = await signedIn(text, `${SOLAR}/query`);
    await page.getByRole('button', { name: 'Account' }).click();
    await soon(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Sign out']);
    await page.goto(`${scene.server.url}/#/admin`);
    await soon(() => page.getByRole('alert').allInnerTexts()).toContainEqual(expect.stringContaining('FORBIDDEN'));
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
    ['dark', 400],
  ] as const)('%s, %i pixels wide: everybody can use it', async (colorScheme, width) => {
    const page = await signedIn(operator, 'admin?account=root', { colorScheme, viewport: { width, height: 800 } });
    await page.locator('.block .log-entry').first().waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    for (const [button, dialog] of [
      ['New account', 'New account'],
      ['New token', 'New token'],
      ['Revoke of the test', 'Revoke of the test'],
      ['Delete demo', 'Delete demo'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      expect([button, await violations(page)]).toEqual([button, []]);
      await page.keyboard.press('Escape');
      await soon(() => page.getByRole('dialog').count()).toBe(0);
    }
    if (width > 720) return;
    await page.getByRole('button', { name: 'More' }).waitFor({ state: 'hidden' });
    await page.goto(`${scene.server.url}/#/${SOLAR}/history`);
    await page.getByRole('button', { name: 'More' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Settings');
  });
});
