import { CorruptionError } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { toHex } from './bytes.js';
import { Envelope, ENVELOPE_BYTES } from './envelope.js';

const ascii = (value: string) => new TextEncoder().encode(value);

describe('envelope', () => {
  // From another implementation of XXH32. A different result would make every stored value unreadable.
  it.each([
    ['k', '', '01c2bc91c3'],
    ['k', 'hello', '01e537982d68656c6c6f'],
    ['key', 'hello', '01188609cf68656c6c6f'],
  ])('golden bytes of %s = %s', async (key, value, hex) => {
    const envelope = await Envelope.create();
    expect(toHex(envelope.seal(ascii(key), ascii(value)))).toBe(hex);
  });

  it('opens to a view of the sealed bytes, of a Buffer too', async () => {
    const envelope = await Envelope.create();
    const sealed = Buffer.from(envelope.seal(ascii('k'), ascii('value')));
    const payload = envelope.open(ascii('k'), sealed);
    expect(payload.buffer).toBe(sealed.buffer);
    expect(Buffer.isBuffer(payload)).toBe(false);
    expect(new TextDecoder().decode(payload)).toBe('value');
  });

  it('finds every flipped bit', async () => {
    const envelope = await Envelope.create();
    const sealed = envelope.seal(ascii('k'), ascii('some value'));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const damaged = sealed.slice();
      damaged[bit >>> 3]! ^= 1 << (bit & 7);
      expect(() => envelope.open(ascii('k'), damaged)).toThrow(CorruptionError);
    }
  });

  it('names the key in hexadecimal', async () => {
    const envelope = await Envelope.create();
    try {
      envelope.open(Uint8Array.of(1, 255), new Uint8Array(ENVELOPE_BYTES));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CorruptionError);
      expect(error).toMatchObject({ code: 'CHECKSUM', details: { key: '01ff' } });
      expect((error as Error).message).toContain('01ff');
    }
  });
});
