/** Pictures of pages, compared with those that are kept. Times, durations and sizes in bytes are the same in each of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../packages/workbench/test/baseline');
const FONTS = join(FOLDER, 'fonts.json');
const WRITES = process.env['QUADRILLE_PICTURES'] === 'write';
/** So many pixels may differ, and colours so much. */
const MOST_SHARE = 0.001;
const MOST_CHANNEL = 24;

const TIME = '2026-11-22T09:23:00.000Z';
const NOW = '2026-11-22T12:00:00.000Z';

/** Answers name one time, and the clock of the page stands still. Called before the page is opened. */
export async function fixTimes(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route(
    /\/(?:revisions|branches|repositories|refs|meta|jobs|accounts|history|blame|tokens|audit)\b/,
    async (route) => {
      // A page that is left gives up its requests.
      try {
        const answer = await route.fetch();
        const body = (await answer.text()).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, TIME);
        await route.fulfill({ response: answer, body });
      } catch {
        await route.abort().catch(() => undefined);
      }
    },
  );
}

/** Durations and sizes are other ones each time. */
const steady = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (node.parentElement?.closest('select') === null)
        node.nodeValue = node.nodeValue!.replace(/\b[\d.,]+(?= (?:ms|s|kB|MB|B)\b)/g, '12');
    for (const bar of document.querySelectorAll<HTMLElement>('.plan-time i')) bar.style.width = '60%';
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });

interface Fonts {
  readonly sans: string;
  readonly width: number;
}

/** How wide the fonts of this machine are: pictures of others cannot be compared. */
async function fontsOf(page: Page): Promise<Fonts> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  await session.send('CSS.enable');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  const width = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    const wide = (font: string): number => {
      context.font = font;
      return context.measureText('Revision 7 of 7, 0123456789').width;
    };
    return Math.round(100 * (wide('15px system-ui') + wide('14px ui-monospace, monospace')));
  });
  return { sans: fonts[0]?.familyName ?? '', width };
}

/** @returns why pictures of this machine cannot be compared; undefined where they can */
export async function otherFonts(page: Page): Promise<string | undefined> {
  const own = await fontsOf(page);
  if (WRITES) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(FONTS, `${JSON.stringify(own)}\n`);
    return undefined;
  }
  const kept = JSON.parse(readFileSync(FONTS, 'utf8')) as Fonts;
  if (own.sans === kept.sans && own.width === kept.width) return undefined;
  return `pictures of the workbench are not compared: they are of ${kept.sans}, and this machine has ${own.sans}`;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Differing ones. */
  readonly count: number;
}

/** Compares the page with the picture that is kept under a name, or keeps it (`QUADRILLE_PICTURES=write`). */
export async function comparePicture(browser: Browser, page: Page, name: string): Promise<void> {
  await steady(page);
  const png = await page.screenshot({ caret: 'hide', animations: 'disabled' });
  const path = join(FOLDER, `${name}.png`);
  const context = await browser.newContext();
  try {
    const canvas = await context.newPage();
    if (WRITES) return writeFileSync(path, await packed(canvas, png));
    const { width, height, count } = await compared(canvas, png, readFileSync(path));
    const share = count / (width * height);
    if (share >= MOST_SHARE && process.env['QUADRILLE_PICTURES'] !== undefined)
      writeFileSync(join(process.env['QUADRILLE_PICTURES']!, `${name}.png`), png);
    expect([name, share < MOST_SHARE ? 'alike' : `${(100 * share).toFixed(2)} % of its pixels differ`]).toEqual([
      name,
      'alike',
    ]);
  } finally {
    await context.close();
  }
}

const compared = (canvas: Page, one: Buffer, other: Buffer): Promise<Pixels> =>
  canvas.evaluate(
    async ([first, second, most]) => {
      const pixels = async (base64: string): Promise<ImageData> => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      };
      const [a, b] = [await pixels(first), await pixels(second)];
      const size = { width: a.width, height: a.height };
      if (a.width !== b.width || a.height !== b.height) return { ...size, count: a.width * a.height };
      let count = 0;
      for (let at = 0; at < a.data.length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs(a.data[at + channel]! - b.data[at + channel]!) > most)) count++;
      return { ...size, count };
    },
    [one.toString('base64'), other.toString('base64'), MOST_CHANNEL] as const,
  );

/** The same picture in fewer bytes: without an alpha channel, and compressed as far as zlib can. */
async function packed(canvas: Page, png: Buffer): Promise<Buffer> {
  const { width, height, base64 } = await canvas.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let out = '';
    for (let at = 0; at < data.length; at += 30_000) out += String.fromCharCode(...data.subarray(at, at + 30_000));
    return { width: image.width, height: image.height, base64: btoa(out) };
  }, png.toString('base64'));
  const rgba = Buffer.from(base64, 'base64');
  // Each line after the filter `none`: zlib finds the repetitions of flat pictures best.
  const lines = Buffer.alloc(height * (3 * width + 1));
  for (let y = 0, to = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, to += 3) rgba.copy(lines, to, 4 * (y * width + x), 4 * (y * width + x) + 3);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [
    part('IHDR', head),
    part('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    part('IEND', Buffer.alloc(0)),
  ];
  const result = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
  return result.length < png.length ? result : png;
}

function part(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(checksum(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** CRC-32 of PNG. Node.js 20 has none before 20.15. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
