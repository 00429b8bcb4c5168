import { expect, test } from 'vitest';
import { Clock } from './clock.js';

test('time counts while the clock runs, and only then', () => {
  const clock = new Clock(100);
  expect([clock.running, clock.passed(1e9), clock.leftMs(1e9)]).toEqual([false, false, 100]);
  clock.start(1000);
  clock.start(1050);
  expect([clock.passed(1099), clock.leftMs(1060)]).toEqual([false, 40]);
  clock.stop(1060);
  clock.stop(1090);
  expect([clock.passed(5000), clock.leftMs(5000)]).toEqual([false, 40]);
  clock.start(5000);
  expect([clock.passed(5040), clock.passed(5041)]).toEqual([false, true]);
});

test('another limit keeps the time that has passed', () => {
  const clock = new Clock(100);
  clock.start(0);
  clock.limit(300);
  expect([clock.limitMs, clock.passed(299), clock.passed(301)]).toEqual([300, false, true]);
  clock.stop(50);
  clock.limit(60);
  expect(clock.leftMs()).toBe(10);
  clock.limit(Infinity);
  expect(clock.leftMs()).toBe(Infinity);
  clock.limit(Infinity);
  clock.start(60);
  expect(clock.passed(1e12)).toBe(false);
});

test('the processor is busy between two rests; what takes longer than a step has waited', () => {
  const clock = new Clock(Infinity);
  clock.rest(5);
  clock.start(10);
  clock.rest(14);
  clock.resume(100);
  clock.rest(103);
  clock.resume(200);
  clock.stop(900);
  expect(clock.busyMs).toBe(4 + 3 + 20);
  clock.rest(1000);
  expect(clock.busyMs).toBe(27);
});
