// Exchange rates as whole numbers of hundred-millionths.

/** A rate of 1. */
export const ONE_RATE = 100_000_000n

/** '1.08350000' */
export const rateText = (rate: bigint): string => `${rate / ONE_RATE}.${(rate % ONE_RATE).toString().padStart(8, '0')}`
