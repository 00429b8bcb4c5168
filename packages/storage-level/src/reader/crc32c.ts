/** CRC-32C (Castagnoli), in the masked form of LevelDB's log records and table blocks. */

const POLYNOMIAL = 0x82f6_3b78;
const MASK_DELTA = 0xa282_ead8;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** The masked checksum of `bytes[start, end)`. */
export function maskedCrc32c(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffff_ffff;
  for (let i = start; i < end; i++) crc = TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  const sum = ~crc >>> 0;
  return (((sum >>> 15) | (sum << 17)) + MASK_DELTA) >>> 0;
}
