/**
 * Keccak-f[1600] (FIPS 202) of two states at once. A word of both states makes a vector: that of the first state is its lower half.
 */

const WORDS: usize = 25;
const ROUNDS: usize = 24;

/** One of 64 bits for each round: its lower half, then its upper half. */
const CONSTANTS: usize = memory.data<u32>([
  0x00000001, 0x00000000, 0x00008082, 0x00000000, 0x0000808a, 0x80000000, 0x80008000, 0x80000000, 0x0000808b,
  0x00000000, 0x80000001, 0x00000000, 0x80008081, 0x80000000, 0x00008009, 0x80000000, 0x0000008a, 0x00000000,
  0x00000088, 0x00000000, 0x80008009, 0x00000000, 0x8000000a, 0x00000000, 0x8000808b, 0x00000000, 0x0000008b,
  0x80000000, 0x00008089, 0x80000000, 0x00008003, 0x80000000, 0x00008002, 0x80000000, 0x00000080, 0x80000000,
  0x0000800a, 0x00000000, 0x8000000a, 0x80000000, 0x80008081, 0x80000000, 0x00008080, 0x80000000, 0x80000001,
  0x00000000, 0x80008008, 0x80000000,
]);
/** Bytes from one word of a state to the next one. */
export const STRIDE: usize = 16;
/** The states. */
export const STATES: usize = memory.data(400, 16);
/** The states after every other round. An even number of rounds ends in {@link STATES}. */
const OTHER: usize = memory.data(400, 16);

/** Sets a state to zero: the first one at `state` 0, the second one at 8. */
export function clear(state: usize): void {
  for (let word: usize = 0; word < WORDS; word++) store<u64>(STATES + state + word * STRIDE, 0);
}

/** The permutation. Sums of columns stay in registers from one round to the next. */
export function permute(): void {
  let from = STATES;
  let to = OTHER;
  let c0 = column(0);
  let c1 = column(1);
  let c2 = column(2);
  let c3 = column(3);
  let c4 = column(4);
  for (let round: usize = 0; round < ROUNDS; round++) {
    // Theta.
    const d0 = v128.xor(c4, rotl(c1, 1));
    const d1 = v128.xor(c0, rotl(c2, 1));
    const d2 = v128.xor(c1, rotl(c3, 1));
    const d3 = v128.xor(c2, rotl(c4, 1));
    const d4 = v128.xor(c3, rotl(c0, 1));
    // Rho and pi give a row of the next state, and chi mixes it.
    let b0 = sum(from, 0, d0);
    let b1 = rotl(sum(from, 6, d1), 44);
    let b2 = rotl(sum(from, 12, d2), 43);
    let b3 = rotl(sum(from, 18, d3), 21);
    let b4 = rotl(sum(from, 24, d4), 14);
    c0 = put(to, 0, v128.xor(chi(b0, b1, b2), v128.load_splat<u64>(CONSTANTS + round * 8)));
    c1 = put(to, 1, chi(b1, b2, b3));
    c2 = put(to, 2, chi(b2, b3, b4));
    c3 = put(to, 3, chi(b3, b4, b0));
    c4 = put(to, 4, chi(b4, b0, b1));
    b0 = rotl(sum(from, 3, d3), 28);
    b1 = rotl(sum(from, 9, d4), 20);
    b2 = rotl(sum(from, 10, d0), 3);
    b3 = rotl(sum(from, 16, d1), 45);
    b4 = rotl(sum(from, 22, d2), 61);
    c0 = v128.xor(c0, put(to, 5, chi(b0, b1, b2)));
    c1 = v128.xor(c1, put(to, 6, chi(b1, b2, b3)));
    c2 = v128.xor(c2, put(to, 7, chi(b2, b3, b4)));
    c3 = v128.xor(c3, put(to, 8, chi(b3, b4, b0)));
    c4 = v128.xor(c4, put(to, 9, chi(b4, b0, b1)));
    b0 = rotl(sum(from, 1, d1), 1);
    b1 = rotl(sum(from, 7, d2), 6);
    b2 = rotl(sum(from, 13, d3), 25);
    b3 = rotl(sum(from, 19, d4), 8);
    b4 = rotl(sum(from, 20, d0), 18);
    c0 = v128.xor(c0, put(to, 10, chi(b0, b1, b2)));
    c1 = v128.xor(c1, put(to, 11, chi(b1, b2, b3)));
    c2 = v128.xor(c2, put(to, 12, chi(b2, b3, b4)));
    c3 = v128.xor(c3, put(to, 13, chi(b3, b4, b0)));
    c4 = v128.xor(c4, put(to, 14, chi(b4, b0, b1)));
    b0 = rotl(sum(from, 4, d4), 27);
    b1 = rotl(sum(from, 5, d0), 36);
    b2 = rotl(sum(from, 11, d1), 10);
    b3 = rotl(sum(from, 17, d2), 15);
    b4 = rotl(sum(from, 23, d3), 56);
    c0 = v128.xor(c0, put(to, 15, chi(b0, b1, b2)));
    c1 = v128.xor(c1, put(to, 16, chi(b1, b2, b3)));
    c2 = v128.xor(c2, put(to, 17, chi(b2, b3, b4)));
    c3 = v128.xor(c3, put(to, 18, chi(b3, b4, b0)));
    c4 = v128.xor(c4, put(to, 19, chi(b4, b0, b1)));
    b0 = rotl(sum(from, 2, d2), 62);
    b1 = rotl(sum(from, 8, d3), 55);
    b2 = rotl(sum(from, 14, d4), 39);
    b3 = rotl(sum(from, 15, d0), 41);
    b4 = rotl(sum(from, 21, d1), 2);
    c0 = v128.xor(c0, put(to, 20, chi(b0, b1, b2)));
    c1 = v128.xor(c1, put(to, 21, chi(b1, b2, b3)));
    c2 = v128.xor(c2, put(to, 22, chi(b2, b3, b4)));
    c3 = v128.xor(c3, put(to, 23, chi(b3, b4, b0)));
    c4 = v128.xor(c4, put(to, 24, chi(b4, b0, b1)));
    const done = from;
    from = to;
    to = done;
  }
}

function column(x: usize): v128 {
  let all = v128.load(STATES + x * STRIDE);
  for (let word = x + 5; word < WORDS; word += 5) all = v128.xor(all, v128.load(STATES + word * STRIDE));
  return all;
}

function sum(states: usize, word: usize, other: v128): v128 {
  return v128.xor(v128.load(states + word * STRIDE), other);
}

function put(states: usize, word: usize, value: v128): v128 {
  v128.store(states + word * STRIDE, value);
  return value;
}

function chi(a: v128, b: v128, c: v128): v128 {
  return v128.xor(a, v128.andnot(c, b));
}

function rotl(words: v128, bits: i32): v128 {
  return v128.or(i64x2.shl(words, bits), i64x2.shr_u(words, 64 - bits));
}
