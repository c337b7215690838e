// Entered spend that no group of the report can carry: one row for each country, partner, stream and day.

import type { Language } from '@tributary/contract/language'
import { ALL_CAP } from '@tributary/contract/limits'
import type { Metrics, NotUsedSpend, SpendGroup } from '@tributary/contract/reports/general'
import { dimensionOf } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'
import { factsSql, finish } from './compile.ts'
import { compileUnion } from './compile-source.ts'
import type { Derive, Whole } from './derive.ts'
import { Params, type Statement } from './params.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'
import { type GroupId, toWhole } from './read-rows.ts'
import { suffixesOf } from './row-layout.ts'
import { formatDay, placeholderOf, readTitles } from './titles.ts'
import { groupTuple, trafficGroups } from './traffic-groups.ts'

const KEY = ['country', 'partner', 'stream', 'day'] as const

/**
 * Rows [country, partner, stream, day, sums of the periods in ten-thousandths…], newest day first. `groups`: the innermost groups
 * that are meant, when they are known; otherwise they are those without traffic. `isWhole`: also beyond what an answer lists.
 */
export function compileNotUsedSpend(
  selection: Selection,
  plan: Plan,
  { groups = null, isWhole = false }: { groups?: readonly (readonly GroupId[])[] | null; isWhole?: boolean } = {},
): Statement | null {
  // A choice of players leaves entered spend out of the report: then there is none to be left over.
  if (selection.levels.length === 0 || !plan.sources.includes('spend')) return null
  const params = new Params()
  const spend = compileUnion(
    // By day: sums of months know of none.
    { ...selection, sums: { ...selection.sums, spend: [] } },
    { ...plan, sources: ['spend'], columns: [...new Set([...plan.columns, ...KEY])] },
    params,
  )
  if (spend === null) return null
  const sums = suffixesOf(selection).map((suffix) => {
    const flag = suffix === '' ? 'in1' : 'in2'
    return `${selection.second === null ? 'sum(facts.n_entered_spend)' : `sumIf(facts.n_entered_spend, ${flag})`} as spend${suffix}`
  })
  const place = groups === null ? withoutTraffic(selection, plan, params) : amongGroups(selection, groups, params)
  const sql = `select ${[...KEY.map((column) => `c_${column}`), ...sums].join(', ')}
from ${factsSql(spend, plan)}${place}
group by ${KEY.map((column) => `c_${column}`).join(', ')}
having ${suffixesOf(selection)
    .map((suffix) => `spend${suffix} != 0`)
    .join(' or ')}
order by c_day desc, c_country, c_partner, c_stream${isWhole ? '' : `\nlimit ${params.bind('UInt32', ALL_CAP)}`}`
  return finish(sql, params, selection)
}

function withoutTraffic(selection: Selection, plan: Plan, params: Params): string {
  const traffic = trafficGroups(selection, plan, params)
  return traffic === null ? '' : `\nwhere ${traffic.group} not in ${traffic.groups}`
}

const TYPES = { reference: 'UInt32', text: 'String', day: 'Date', week: 'Date', month: 'Date' } as const

function amongGroups(selection: Selection, groups: readonly (readonly GroupId[])[], params: Params): string {
  const lists = selection.levels.map((level, depth) =>
    params.bind(
      `Array(${TYPES[dimensionOf(level).value]})`,
      groups.map((group) => group[depth] ?? ''),
    ),
  )
  return `\nwhere ${groupTuple(selection)} in (select arrayJoin(arrayZip(${lists.join(', ')})))`
}

/** Country, partner, stream and day of entered spend. */
export type SpendKey = readonly [number, number, number, string]

export interface SpendSum {
  readonly key: SpendKey
  /** As of a row that has nothing else, in the order of `numbersOf`. */
  readonly numbers: readonly Whole[]
}

/** `rows` as compileNotUsedSpend describes them; `names` as `numbersOf` says. */
export const readSpendSums = (rows: readonly unknown[][], names: readonly string[]): SpendSum[] =>
  rows.map(([country, partner, stream, day, ...sums]) => {
    const [first = 0, second = 0] = sums.map(toWhole)
    const numberOf = (name: string): Whole =>
      name === 'entered_spend' ? first : name === 'entered_spend_2' ? second : 0
    return { key: [Number(country), Number(partner), Number(stream), String(day)], numbers: names.map(numberOf) }
  })

export interface LostSpend {
  readonly s: SpendGroup
  readonly m: Metrics
  readonly numbers: readonly Whole[]
  readonly used: NotUsedSpend
}

/** With their titles, and the numbers that are shown. */
export async function nameSpends(
  sums: readonly SpendSum[],
  derive: Derive,
  postgres: Postgres,
  language: Language,
): Promise<LostSpend[]> {
  const idsAt = (place: 0 | 1 | 2) => sums.map(({ key }) => key[place])
  const [countries, partners, streams] = await Promise.all([
    readTitles(postgres, 'country', idsAt(0)),
    readTitles(postgres, 'partner', idsAt(1)),
    readTitles(postgres, 'partner_stream', idsAt(2)),
  ])
  const none = placeholderOf('offer', language)
  return sums.map(({ key, numbers }) => {
    const [country, partner, stream, date] = key
    const named = {
      country: countries.get(country)?.title ?? none,
      partner: partners.get(partner)?.title ?? none,
      stream: streams.get(stream)?.title ?? none,
      date,
    }
    const m = derive(numbers)
    return {
      s: {
        id: key.join(':'),
        title: `NUS: ${[named.country, named.partner, named.stream, formatDay(date)].join(', ')}`,
        ...named,
      },
      m,
      numbers,
      used: { ...named, price: m.s ?? 0, price_2: m.s_2 ?? null },
    }
  })
}
