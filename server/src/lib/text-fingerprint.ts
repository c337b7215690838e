// 64-bit fingerprints of short texts as two 32-bit halves (MurmurHash3's mixing). Equal texts have equal fingerprints in every process.

export interface Fingerprint {
  readonly high: number
  readonly low: number
}

export function fingerprint(text: string): Fingerprint {
  let high = 0x9747b28c
  let low = 0x3c6ef372
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x5bd1e995)
    high ^= high >>> 13
    low = Math.imul(low ^ unit, 0x01000193)
    low ^= low >>> 15
  }
  return { high: mix32(high ^ text.length), low: mix32(low) }
}

/** Mixes the bits of a 32-bit number. */
export function mix32(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
