/** BEAR's three questions: a pattern at a version (VM), between two versions (DM), over all versions (VQ). */
import type { Figures } from '../workload.js';
import { figure } from '../workload.js';
import { type Shape, SHAPES } from './releases.js';

export const QUESTIONS = ['VM', 'DM', 'VQ'] as const;
export type Question = (typeof QUESTIONS)[number];

/** Versions from 0 on. The last one is not asked. */
export const versionsOf = (releases: number): number[] => Array.from({ length: releases - 1 }, (_, i) => i);

/** Each version and the first one, and each and the second one. */
export const pairsOf = (releases: number): (readonly [number, number])[] =>
  versionsOf(releases).flatMap((to) => [0, 1].filter((from) => from < to).map((from) => [from, to] as const));

/** What asking one pattern once took, in microseconds, and its number of results. */
export interface Asked {
  readonly microseconds: number;
  readonly results: number;
}

/** The times and results of one question, for all patterns of one shape. */
export type AskedOf = Readonly<Record<Question, readonly Asked[]>>;

export const median = (values: readonly number[]): number =>
  values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)]!;

export const figureName = (question: Question, shape: Shape): string => `${question} ${shape}`;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The median times and the mean ones, and the results in all. */
export function questionFigures(asked: Readonly<Partial<Record<Shape, AskedOf>>>): Figures {
  const figures: [string, Figures[string]][] = [];
  for (const question of QUESTIONS) {
    for (const shape of SHAPES) {
      const all = asked[shape]?.[question] ?? [];
      if (all.length === 0) continue;
      const name = figureName(question, shape);
      const times = all.map(({ microseconds }) => microseconds);
      const results = all.map((each) => each.results);
      figures.push([name, figure(median(times), 'µs')]);
      figures.push([`${name} mean`, figure(sum(times) / times.length, 'µs')]);
      figures.push([`${name} results`, figure(sum(results), 'results')]);
    }
  }
  return Object.fromEntries(figures);
}
