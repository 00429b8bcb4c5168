/** Tells how far the indexes are that the settings of a repository ask for, and opens them. */
import type { Timeline } from '../timeline/timeline.js';

/** The share of the terms that they have, from 0 to 1. */
export async function searchProgress(timeline: Timeline): Promise<number> {
  const { dictionary, shared } = timeline;
  const { termMark } = shared.writer;
  const { text, vectors } = (await timeline.readSettings()).search ?? {};
  const shares = [1];
  if (text !== undefined) {
    const { TextIndex } = await import('../texts.js');
    shares.push((await TextIndex.open(dictionary, text.fold ?? 'case')).progress(termMark));
  }
  if (vectors !== undefined) {
    const { embeddedShare, VectorIndexes } = await import('../read/vectors.js');
    const indexes = await VectorIndexes.open(dictionary, vectors);
    shares.push(indexes.progress(termMark));
    for (const each of indexes.allEmbedded) shares.push(await embeddedShare(timeline, each));
  }
  return Math.min(...shares);
}
