/** Frames arrive in any pieces. */
import { expect, test } from 'vitest';
import { frameOf, FrameReader, Kind, MOST_FRAME } from './frames.js';

const plain = (frames: ReturnType<FrameReader['take']>): unknown[] =>
  frames.map(({ kind, number, head, body }) => [kind, number, head, body.toString()]);

test('frames that are cut anywhere are put together', () => {
  const sent = Buffer.concat([
    frameOf(Kind.ping, 0),
    frameOf(Kind.message, 7, '{"é":"😀"}', 'täxt'),
    frameOf(Kind.gone, 2 ** 32 - 1),
    frameOf(Kind.message, 8, '', Buffer.alloc(3000, 'b')),
  ]);
  const whole = plain(new FrameReader().take(sent));
  expect(whole.slice(0, 3)).toEqual([
    [Kind.ping, 0, '', ''],
    [Kind.message, 7, '{"é":"😀"}', 'täxt'],
    [Kind.gone, 2 ** 32 - 1, '', ''],
  ]);
  expect(whole).toHaveLength(4);
  for (let at = 0; at <= sent.length; at++) {
    const reader = new FrameReader();
    const found = [...reader.take(sent.subarray(0, at)), ...reader.take(sent.subarray(at))];
    expect(plain(found)).toEqual(whole);
    expect(reader.isWithin).toBe(false);
  }
  const reader = new FrameReader();
  const found = Array.from(sent, (byte) => reader.take(Buffer.of(byte))).flat();
  expect(plain(found)).toEqual(whole);
});

test.each([
  ['too long', [0xff, 0xff, 0xff, 0xff]],
  ['a little too long', [0, MOST_FRAME >> 16, 0, 1]],
  ['too short', [0, 0, 0, 8]],
  ['with a head that is longer than it', [0, 0, 0, 9, 1, 0, 0, 0, 1, 0, 0, 0, 1]],
])('a frame that is %s is refused', (_, bytes) => {
  expect(() => new FrameReader().take(Buffer.from(bytes))).toThrow(RangeError);
});
