// The keys of the locks that servers on one database share. Any numbers, as long as no two are the same.

export const ADVISORY_LOCKS = {
  /** One server migrates at a time. */
  migrate: 7_264_001,
  /** One server carries facts over at a time. */
  facts: 7_264_002,
  /** One server makes the first admin. */
  firstAdmin: 7_264_003,
} as const
