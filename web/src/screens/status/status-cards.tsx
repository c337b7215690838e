// The numbers of the status in cards, one for each part of the product.
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { formatCount } from '../../lib/number-format.ts'
import { MomentText } from '../../ui/value.tsx'
import { formatBytes, formatSeconds } from './measure-text.ts'
import classes from './status.module.css'

type Status = AnswerOf<'status_read'>

interface CardLine {
  readonly name: string
  readonly value: ReactNode
  readonly isBad?: boolean
}

const LATE_SECONDS = 60
/** Less than this share of the disk is too little. */
const FREE_SHARE = 0.1

function Card({ title, lines, text }: { title: string; lines: readonly CardLine[]; text?: string | undefined }) {
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <dl className={classes.lines}>
        {lines.map(({ name, value, isBad = false }) => (
          <div key={name} className={isBad ? `${classes.line} ${classes.bad}` : classes.line}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      {text === undefined ? null : <p className={classes.quiet}>{text}</p>}
    </section>
  )
}

export function StatusCards({ status }: { status: Status }) {
  return (
    <div className={classes.cards}>
      <ClickCard status={status} />
      <ReportCard status={status} />
      <PostbackCard status={status} />
      <RequestCard status={status} />
      <ClickhouseCard status={status} />
      <MachineCard status={status} />
      <BackupCard status={status} />
    </div>
  )
}

function ClickCard({ status: { clicks } }: { status: Status }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { units } = currentWords().status
  const outcomeName = (name: string): string => {
    if (name === 'redirected') return t(($) => $.status.redirected)
    return name === 'not_recorded' ? t(($) => $.status.notRecorded) : labels.choice('click_rejection', 'reason', name)
  }
  const lines = [
    ...clicks.outcomes.map(({ name, count }) => ({
      name: outcomeName(name),
      value: formatCount(count),
      isBad: name === 'not_recorded',
    })),
    { name: t(($) => $.status.half), value: formatSeconds(clicks.p50_seconds, units) },
    { name: t(($) => $.status.most), value: formatSeconds(clicks.p99_seconds, units) },
    { name: t(($) => $.status.inbox), value: formatCount(clicks.waiting) },
    {
      name: t(($) => $.status.oldest),
      value: clicks.waiting === 0 ? null : formatSeconds(clicks.oldest_seconds, units),
      isBad: clicks.oldest_seconds > LATE_SECONDS,
    },
  ]
  return <Card title={t(($) => $.status.clicks)} lines={lines} />
}

function ReportCard({ status: { facts, at } }: { status: Status }) {
  const { t } = useTranslation()
  const isLate = (moment: string): boolean => Date.parse(at) - Date.parse(moment) > LATE_SECONDS * 1000
  const lines = [
    {
      name: t(($) => $.status.clicksTo),
      value: <MomentText value={facts.clicks_to} seconds />,
      isBad: isLate(facts.clicks_to),
    },
    {
      name: t(($) => $.status.recordTo),
      value: <MomentText value={facts.record_to} seconds />,
      isBad: isLate(facts.record_to),
    },
    { name: t(($) => $.status.changes), value: formatCount(facts.waiting_changes) },
  ]
  return <Card title={t(($) => $.status.reports)} lines={lines} />
}

function PostbackCard({ status: { postbacks } }: { status: Status }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const verdictName = (name: string): string => {
    if (name === 'ok') return t(($) => $.status.received)
    if (name === 'duplicate') return t(($) => $.status.duplicate)
    return name === 'not_recorded' ? t(($) => $.status.notRecorded) : labels.choice('postback', 'reason', name)
  }
  const callName = (name: string): string =>
    name === 'sent'
      ? t(($) => $.status.sent)
      : t(($) => $.status.notSent, { reason: labels.choice('postback', 'reason', name) })
  const lines = [
    ...postbacks.verdicts.map(({ name, count }) => ({
      name: verdictName(name),
      value: formatCount(count),
      isBad: name === 'not_recorded',
    })),
    ...postbacks.calls.map(({ name, count }) => ({ name: callName(name), value: formatCount(count) })),
    { name: t(($) => $.status.waiting), value: formatCount(postbacks.waiting) },
    ...(postbacks.hosts === null
      ? []
      : [{ name: t(($) => $.status.shut), value: formatCount(postbacks.hosts.shut), isBad: postbacks.hosts.shut > 0 }]),
  ]
  return <Card title={t(($) => $.status.postbacks)} lines={lines} />
}

function RequestCard({ status: { requests, connections } }: { status: Status }) {
  const { t } = useTranslation()
  const { units } = currentWords().status
  const lines = [
    { name: t(($) => $.status.answered), value: formatCount(requests.count) },
    { name: t(($) => $.status.failed), value: formatCount(requests.failed), isBad: requests.failed > 0 },
    { name: t(($) => $.status.within), value: formatSeconds(requests.p95_seconds, units) },
  ]
  const pool = [
    { name: t(($) => $.status.busy), value: formatCount(connections.busy) },
    { name: t(($) => $.status.idle), value: formatCount(connections.idle) },
    { name: t(($) => $.status.queued), value: formatCount(connections.waiting), isBad: connections.waiting > 0 },
  ]
  return (
    <>
      <Card title={t(($) => $.status.requests)} lines={lines} />
      <Card title={t(($) => $.status.connections)} lines={pool} />
    </>
  )
}

function ClickhouseCard({ status: { clickhouse } }: { status: Status }) {
  const { t } = useTranslation()
  const { units, kinds } = currentWords().status
  const names: Readonly<Record<string, string>> = kinds
  const lines = clickhouse.map(({ kind, done, failed, p95_seconds }) => ({
    name: names[kind] ?? kind,
    value: [
      formatCount(done),
      ...(failed > 0 ? [t(($) => $.status.kindFailed, { count: failed })] : []),
      ...(p95_seconds === null ? [] : [`${formatSeconds(p95_seconds, units)}`]),
    ].join(' · '),
    isBad: failed > 0,
  }))
  return <Card title={t(($) => $.status.clickhouse)} lines={lines} text={t(($) => $.status.kindsHint)} />
}

function MachineCard({ status: { machine } }: { status: Status }) {
  const { t } = useTranslation()
  const { units } = currentWords().status
  const { disk_bytes, disk_free_bytes, memory_bytes, loop_p99_seconds } = machine
  const [free, size] = [formatBytes(disk_free_bytes, units), formatBytes(disk_bytes, units)]
  const lines = [
    {
      name: t(($) => $.status.disk),
      value: t(($) => $.status.of, { free, size }),
      isBad: disk_free_bytes < FREE_SHARE * disk_bytes,
    },
    { name: t(($) => $.status.memory), value: formatBytes(memory_bytes, units) },
    { name: t(($) => $.status.loop), value: formatSeconds(loop_p99_seconds, units) },
  ]
  return <Card title={t(($) => $.status.machine)} lines={lines} />
}

function BackupCard({ status: { backup } }: { status: Status }) {
  const { t } = useTranslation()
  const lines = [
    {
      name: t(($) => $.status.latest),
      value: backup.moment === null ? t(($) => $.status.none) : <MomentText value={backup.moment} />,
      isBad: backup.moment === null && backup.is_scheduled,
    },
    { name: t(($) => $.status.failures), value: formatCount(backup.failures), isBad: backup.failures > 0 },
  ]
  const text = backup.last_error ?? (backup.is_scheduled ? undefined : t(($) => $.status.notScheduled))
  return <Card title={t(($) => $.status.backup)} lines={lines} text={text} />
}
