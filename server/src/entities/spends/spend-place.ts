// Where an entered spend belongs.

/** The stream, country, site and business day of an entered spend. */
export interface SpendPlace {
  readonly stream: number
  readonly country: number
  readonly site: string | null
  readonly day: string
}
