// One filter of the report: these values, all but these, or texts that contain something; and its form in the address, which is that of the wire.
import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'

export type NarrowingMode = 'in' | 'nin' | 'like'

export interface Narrowing {
  readonly mode: NarrowingMode
  /** Ids, texts, or the two ends of a period; never empty. */
  readonly values: readonly (number | string)[]
}

type Wire =
  | readonly (number | string)[]
  | { readonly nin: readonly (number | string)[] }
  | { readonly like: string }
  | string

/** Null when the value is no narrowing of that filter. */
export function readNarrowing(name: ReportFilterName, value: unknown): Narrowing | null {
  const { kind } = reportFilterOf(name)
  if (kind === 'period') {
    const ends = typeof value === 'string' ? value.split('|') : []
    return ends.length === 2 ? { mode: 'in', values: ends } : null
  }
  if (typeof value !== 'object' || value === null) return null
  if ('like' in value)
    return kind === 'texts' && typeof value.like === 'string' && value.like !== ''
      ? { mode: 'like', values: [value.like] }
      : null
  const mode = 'nin' in value ? 'nin' : 'in'
  const list: unknown = 'nin' in value ? value.nin : value
  if (!Array.isArray(list)) return null
  const values = kind === 'references' ? list.filter(isId) : list.map(String)
  return values.length > 0 ? { mode, values } : null
}

export function writeNarrowing(name: ReportFilterName, { mode, values }: Narrowing): Wire {
  if (reportFilterOf(name).kind === 'period') return values.join('|')
  if (mode === 'like') return { like: String(values[0] ?? '') }
  return mode === 'nin' ? { nin: values } : values
}

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
