/** Texts of the page of activity. */
import { bytes, duration, number } from './en.js';

const perSecond = (value: number): string => `${number(Math.round(value * 10) / 10)}/s`;

export const activityText = {
  metrics: 'Live metrics',
  none: '–',
  most: (value: string): string => `at most ${value}`,
  figures: {
    requests: 'Requests',
    running: 'Queries that run',
    waiting: 'Queries that wait',
    commits: 'Revisions made',
    cpu: 'Processor',
    memory: 'Memory',
    delay: 'Delay of timers (99 %)',
  },
  values: {
    requests: perSecond,
    running: number,
    waiting: number,
    commits: perSecond,
    cpu: (cores: number): string => `${number(Math.round(cores * 100))} %`,
    memory: bytes,
    delay: (seconds: number): string => duration(seconds * 1000),
  },
  servers: 'Servers of this store',
  holder: 'writes',
  self: 'this server',
  leaving: 'is about to end',
  silent: (ms: number): string => `silent for ${duration(ms)}`,
  behind: (entries: number): string => (entries === 0 ? 'up to date' : `${number(entries)} changes behind`),
} as const;
