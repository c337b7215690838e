// The keys of the locks that servers on one database share. Any numbers, as long as no two are the same.

export const ADVISORY_LOCKS = {
  /** One server migrates at a time. */
  migrate: 7_264_001,
  /** One server carries facts over at a time. */
  facts: 7_264_002,
  /** One server makes the first admin. */
  firstAdmin: 7_264_003,
  /** One name of a country is taken at a time. */
  countryNames: 7_264_004,
  /** One report at a time goes into the record. */
  imports: 7_264_055,
  /** With a report's id: one server reads it. */
  report: 7_264_056,
  /** With the id of a day that the players API is asked for. */
  apiReport: 7_264_057,
} as const
