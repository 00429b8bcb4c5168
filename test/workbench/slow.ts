/** Pages as slow as on a busy machine: `QUADRILLE_SLOW_PAGES=6` takes six times the time for scripts, and delays each answer. */
import type { Handler } from '@quadrille/server';
import type { BrowserContext, Page } from 'playwright-core';

const SLOWNESS = Number(process.env['QUADRILLE_SLOW_PAGES'] ?? 1);
/** Milliseconds before an answer, for each time that pages are slower. */
const LATENCY_MS = 50;

/** Milliseconds to wait where pages are as fast as they can be; more where they are slow. */
export const patient = (milliseconds: number): number => milliseconds * SLOWNESS;

/** A page of a context, before its first address. */
export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  if (SLOWNESS === 1) return page;
  page.setDefaultTimeout(patient(30_000));
  const devTools = await context.newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
  return page;
}

/** The handler of a server that is as slow as the pages. */
export function answering(handler: Pick<Handler, 'reply'>): Pick<Handler, 'reply'> {
  if (SLOWNESS === 1) return handler;
  return {
    async reply(request, client) {
      await new Promise((resolve) => setTimeout(resolve, LATENCY_MS * SLOWNESS));
      return handler.reply(request, client);
    },
  };
}
