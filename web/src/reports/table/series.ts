// The numbers of a chart, and their colours.

export interface Dot {
  /** Unique on the axis. */
  readonly at: string
  readonly title: string
  /** Null: no number, and a gap in the line. */
  readonly value: number | null
  /** An unfinished period, whose number still grows. */
  readonly isRunning?: boolean
}

export interface Series {
  readonly title: string
  readonly dots: readonly Dot[]
}

/** Distinguishable in both themes and with most kinds of colour blindness. */
export const COLORS = ['#3f83f8', '#e07b00', '#12a36f', '#b45bd6', '#d4456a']

export const colorAt = (place: number) => COLORS[place % COLORS.length] ?? 'currentColor'

const withoutValue = (dot: Dot): Dot => ({ ...dot, value: null })
export const doneDots = (dots: readonly Dot[]): Dot[] => dots.map((dot) => (dot.isRunning ? withoutValue(dot) : dot))
/** The unfinished period, and the one before it, from which the dashes lead. */
export const runningDots = (dots: readonly Dot[]): Dot[] =>
  dots.map((dot, place) => (dot.isRunning || dots[place + 1]?.isRunning ? dot : withoutValue(dot)))
