// The table of records: clicks, players, player days or spends; the last column is each record's contribution.
import { Link } from '@tanstack/react-router'
import type {
  ClickRow,
  GeneralReportRowsAnswer,
  PlayerRow,
  RowKind,
  SpendRow,
} from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import type { ReactNode } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import type { Dictionary } from '../../i18n/shape.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { Dash, DayText, MomentText, NameText } from '../../ui/value.tsx'
import { formatNumber } from '../table/report-columns.ts'
import classes from './drill.module.css'
import { useDescribeTerm } from './spend-terms.tsx'

type Row = ClickRow | PlayerRow | SpendRow
type DrillWords = Dictionary['drill']
type ColumnName = keyof DrillWords['columns']
type Draw<R> = (row: R, words: DrillWords) => ReactNode

const title = (reference: { title: string } | null) => <NameText value={reference?.title} />

/** Columns of all kinds of records. */
const TRACED: readonly (readonly [ColumnName, Draw<Row>])[] = [
  ['offer', ({ offer }) => title(offer)],
  ['partner', ({ partner }) => title(partner)],
  ['stream', ({ stream }) => title(stream)],
  ['source', ({ traffic_source }) => title(traffic_source)],
  ['country', ({ country }) => title(country)],
  ['site', ({ site_id }) => <NameText value={site_id} />],
]

const CLICKS: readonly (readonly [ColumnName, Draw<ClickRow>])[] = [
  ['time', ({ created_at }) => <MomentText value={created_at} seconds />],
  ['click', ({ id }) => <ClickLink id={id} />],
  ['uniqueness', ({ uniqueness }, words) => words[uniqueness]],
  ...TRACED,
  ['sub', ({ sub_id }) => <NameText value={sub_id} />],
  ['promocode', ({ promocode }) => <NameText value={promocode} />],
]

const PLAYERS: readonly (readonly [ColumnName, Draw<PlayerRow>])[] = [
  ['day', ({ day }) => <DayText value={day} />],
  ['player', ({ player, player_outer_id }) => <PlayerLink id={player} title={player_outer_id} />],
  ['registered', ({ registered_day }) => <DayText value={registered_day} />],
  ['firstDeposit', ({ first_deposit_day }) => <DayText value={first_deposit_day} />],
  ...TRACED,
  ['click', ({ click_id }) => (click_id === null ? <Dash /> : <ClickLink id={click_id} />)],
  ['promocode', ({ promocode }) => <NameText value={promocode} />],
]

const SPENDS: readonly (readonly [ColumnName, Draw<SpendRow>])[] = [
  ['day', ({ day }) => <DayText value={day} />],
  ['type', ({ type }, words) => words[type]],
  [
    'player',
    ({ player, player_outer_id }) =>
      player === null ? <Dash /> : <PlayerLink id={player} title={player_outer_id ?? String(player)} />,
  ],
  ['terms', ({ terms }) => <TermTexts terms={terms} />],
  ...TRACED,
]

// The answer names the kind of its rows at run time, which types cannot express.
const COLUMNS: Readonly<Record<RowKind, readonly (readonly [ColumnName, Draw<never>])[]>> = {
  clicks: CLICKS,
  players: PLAYERS,
  player_days: PLAYERS,
  spends: SPENDS,
}

interface DrillTableProps {
  answer: GeneralReportRowsAnswer
  /** The metric that the rows add up to. */
  part: MetricName
  isStale: boolean
}

export function DrillTable({ answer, part, isStale }: DrillTableProps) {
  const words = useReportWords()
  const { drill } = currentWords()
  const columns = COLUMNS[answer.kind]
  return (
    <TableFrame label={words.rows[answer.kind]} stale={isStale}>
      <table className={tableClasses.table}>
        <thead>
          <tr>
            {columns.map(([name]) => (
              <th key={name}>{drill.columns[name]}</th>
            ))}
            <th className={`${tableClasses.number} ${classes.value}`}>{words.metrics[part]}</th>
          </tr>
        </thead>
        <tbody>
          {answer.items.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([name, draw]) => (
                <td key={name}>{draw(row as never, drill)}</td>
              ))}
              <td className={`${tableClasses.number} ${classes.value}`}>{formatNumber(part, row.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function TermTexts({ terms }: { terms: SpendRow['terms'] }) {
  const describe = useDescribeTerm()
  return terms.map(describe).join('; ')
}

function keyOf(row: Row): string {
  if ('id' in row) return row.id
  const parts = [row.day, row.player, row.partner?.id, row.offer?.id, row.stream?.id, row.country?.id, row.site_id]
  return [...parts, 'type' in row ? row.type : '', row.value].join(' ')
}

function ClickLink({ id }: { id: string }) {
  return (
    <Link to="/clicks" search={{ 'filter[id]': id }} className={classes.link} title={id}>
      {id.slice(0, 8)}…
    </Link>
  )
}

function PlayerLink({ id, title: outer }: { id: number; title: string }) {
  return (
    <Link to="/players" search={{ 'filter[id]': id }} className={classes.link} title={outer}>
      {outer === '' ? `#${id}` : outer}
    </Link>
  )
}
