/** Which rows of a long table are in view. Browsers limit the height of elements, so that very many rows share it. */
import { useEffect, useState } from 'preact/hooks';

export const ROW_HEIGHT = 28;
/** Elements of more than about 17 million pixels are cut by some browsers. */
const MOST_HEIGHT = 14_000_000;
const OVERSCAN = 12;

export interface Window {
  /** The first row that is drawn, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The height of all rows, in pixels. */
  readonly height: number;
  /** Where the first row is drawn, in pixels. */
  readonly offset: number;
}

/** @param scrollTop of the box, `height` its visible part, both in pixels */
export function windowOf(rows: number, scrollTop: number, height: number): Window {
  const full = rows * ROW_HEIGHT;
  const visible = Math.ceil(height / ROW_HEIGHT);
  if (full <= MOST_HEIGHT) {
    const from = Math.max(Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN, 0);
    const to = Math.min(from + visible + 2 * OVERSCAN, rows);
    return { from, to, height: full, offset: from * ROW_HEIGHT };
  }
  // The place of the scrollbar says which part of all rows is shown.
  const share = Math.min(Math.max(scrollTop / (MOST_HEIGHT - height), 0), 1);
  const first = Math.round(share * Math.max(rows - visible + 1, 0));
  const from = Math.max(first - OVERSCAN, 0);
  const to = Math.min(first + visible + OVERSCAN, rows);
  return { from, to, height: MOST_HEIGHT, offset: scrollTop - (first - from) * ROW_HEIGHT };
}

/** The scroll position that brings a row into view. */
export function scrollTopOf(row: number, rows: number, height: number): number {
  if (rows * ROW_HEIGHT <= MOST_HEIGHT) return row * ROW_HEIGHT;
  const visible = Math.ceil(height / ROW_HEIGHT);
  return (row / Math.max(rows - visible + 1, 1)) * (MOST_HEIGHT - height);
}

/** Follows the scrolling and the size of a box. */
export function useWindow(box: { readonly current: HTMLElement | null }, rows: number): Window {
  const [view, setView] = useState({ top: 0, height: 400 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, []);
  return windowOf(rows, view.top, view.height);
}
