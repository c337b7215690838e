// Costs: what each partner's stream cost in each country on each day, and what came of it. Spend makes a row by itself here.

import type { Language } from '@tributary/contract/entities/user'
import { paginate } from '@tributary/contract/list-query'
import { COST_METRICS } from '@tributary/contract/reports/choices'
import type { CostAnswer, CostRequest, CostRow } from '@tributary/contract/reports/kinds'
import { metricOf } from '@tributary/contract/reports/traffic'
import type { Sheet, SheetCell, SheetColumn } from '../../lib/sheet.ts'
import type { Question, Viewer } from '../question.ts'
import { type Asking, ask, prepareAsking, shapeQuestion, tell } from '../shaped.ts'
import type { ReportEngines } from './general.ts'

const LEVELS = ['partner', 'stream', 'country', 'day'] as const

export async function answerCosts(
  request: CostRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<CostAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const question = questionOf(request, asking, request.pagination)
  const { rows, total, items, isRateMissing } = await ask(question, asking)
  return {
    ...tell(question, asking, isRateMissing),
    rows: rows.flatMap(rowOf),
    total,
    items,
    pagination: paginate(question.page, question.limit, items),
  }
}

function questionOf(
  { filter, sort }: CostRequest,
  asking: Asking,
  { page, limit }: { page: number; limit: number },
): Question {
  const shape = {
    levels: LEVELS,
    rowsBy: 'costs',
    metrics: COST_METRICS,
    isFlat: true,
    sort: sort ?? null,
    page,
    limit,
  } as const
  return shapeQuestion(filter, shape, asking)
}

const rowOf = ({
  g,
  sg,
  tg,
  fg,
  m,
}: { [L in 'g' | 'sg' | 'tg' | 'fg']?: CostRow['day'] } & Pick<CostRow, 'm'>): CostRow[] =>
  g === undefined || sg === undefined || tg === undefined || fg === undefined
    ? []
    : [{ partner: g, stream: sg, country: tg, day: fg, m }]

/** Rows that the file takes at a time. */
const BATCH = 5000

const WORDS: Readonly<Record<Language, { title: string; headers: readonly string[] }>> = {
  en: { title: 'Costs', headers: ['Partner', 'Stream', 'Country', 'Day', 'Qualified', 'New deps', 'Spend', 'cFD'] },
  ru: {
    title: 'Расходы',
    headers: ['Партнёр', 'Поток', 'Страна', 'День', 'Квалифицированы', 'Новые депозиты', 'Расход', 'cFD'],
  },
}

/** All rows, and the total after them. Read page by page: the file may be larger than memory. */
export async function makeCostSheet(
  request: CostRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<Sheet> {
  const asking = await prepareAsking(viewer, engines, signal)
  const { title, headers } = WORDS[viewer.language]
  const first = await ask(questionOf(request, asking, { page: 1, limit: BATCH }), asking)
  const columns = headers.map((header, place): SheetColumn => {
    const unit = ['', '', '', '', 'count', 'count', 'money', 'money'][place]
    return {
      header: unit === 'money' ? `${header}, ${asking.setting.currency}` : header,
      kind: place < 3 ? 'text' : place === 3 ? 'day' : 'number',
    }
  })
  return { title, columns, total: first.items + 1, zone: asking.setting.zone, batches: batches(first) }

  async function* batches(begun: typeof first): AsyncGenerator<SheetCell[][]> {
    let read = begun
    for (let page = 1, taken = 0; ; page++) {
      if (page > 1) read = await ask(questionOf(request, asking, { page, limit: BATCH }), asking)
      yield read.rows.flatMap(rowOf).map(cellsOf)
      taken += read.rows.length
      if (read.rows.length === 0 || taken >= begun.items) break
    }
    yield [[viewer.language === 'ru' ? 'Итого' : 'Total', null, null, null, ...numbersOf(begun.total)]]
  }
}

const numbersOf = (m: CostRow['m']): SheetCell[] =>
  COST_METRICS.map((name) => {
    const value = m[name] ?? null
    return value === null || metricOf(name).unit === 'count' ? value : value.toFixed(2)
  })

const cellsOf = ({ partner, stream, country, day, m }: CostRow): SheetCell[] => [
  partner.title,
  stream.title,
  country.title,
  String(day.id),
  ...numbersOf(m),
]
