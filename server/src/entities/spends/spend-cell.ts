// What an entered spend belongs to.

/** The stream, country, site and business day of an entered spend. */
export interface SpendCell {
  readonly stream: number
  readonly country: number
  readonly site: string | null
  readonly day: string
}
