// Keys of advisory locks, shared by all servers on one database. Any distinct numbers.

export const ADVISORY_LOCKS = {
  /** One server migrates at a time. */
  migrate: 7_264_001,
  /** One server writes facts at a time. */
  facts: 7_264_002,
  /** One server creates the first admin. */
  firstAdmin: 7_264_003,
  /** One change of country names at a time. */
  countryNames: 7_264_004,
  /** One server prepares the queues of jobs. */
  jobQueues: 7_264_005,
  /** One player report is merged at a time. */
  imports: 7_264_055,
  /** With a report's id: one server imports it. */
  report: 7_264_056,
  /** With the id of a players API day: one server requests it. */
  apiReport: 7_264_057,
  /** With a fingerprint of file and month: one server parses it. */
  sheet: 7_264_058,
  /** With the id of an invoice: one server sends it to the CRM. */
  crmInvoice: 7_264_060,
} as const
