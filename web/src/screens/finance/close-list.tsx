// The closes of months, latest first, with who closed and reopened them. An admin reopens one, for all of its partners or for one.

import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ADMIN_ONLY } from '@tributary/contract/access'
import { ALL } from '@tributary/contract/limits'
import { type Condition, EMPTY_QUERY, writeListQuery } from '@tributary/contract/list-query'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { lookupLoader } from '../../data/lookup.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { joinTexts } from '../../lib/isolate.ts'
import type { LookupOption } from '../../ui/lookup/lookup-options.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { onSubmit } from '../../ui/submit.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { Dash, MomentText } from '../../ui/value.tsx'
import classes from './finance.module.css'
import { useReload } from './use-reload.ts'

interface Reference {
  readonly id: number
  readonly title: string
}

interface Close {
  readonly id: number
  readonly month: string
  readonly partner_group: Reference | null
  readonly closed_at: string
  readonly closed_by: Reference | null
  readonly reopened_at: string | null
  readonly reopened_by: Reference | null
  readonly reason: string | null
}

interface ClosedPartner {
  readonly id: number
  readonly period_close: Reference
  readonly partner: Reference
}

interface ReopenedPartner extends ClosedPartner {
  readonly reopened_at: string
  readonly reopened_by: Reference | null
  readonly reason: string | null
}

async function loadPartners<T extends ClosedPartner>(condition: Condition, signal: AbortSignal): Promise<readonly T[]> {
  const query = writeListQuery({ ...EMPTY_QUERY, limit: ALL, conditions: [condition] })
  return (await http.get<{ items: T[] }>('period_close_partner', { query, signal })).items
}

/** Partners for whom a month was reopened, of any close. */
const loadReopened = (signal: AbortSignal) =>
  loadPartners<ReopenedPartner>({ path: 'reopened_at', operator: 'bwn', values: ['2000-01-01', '2999-12-31'] }, signal)

/** Closes that took all partners who were not closed before. These are mostly few, and the list names them. */
function findLater(closes: readonly Close[]): number[] {
  const isLater = ({ id, month, partner_group }: Close) =>
    partner_group === null && closes.some((other) => other.month === month && other.id < id)
  return closes.filter(isLater).map(({ id }) => id)
}

/** Maximum number of partners named for a close. */
const NAMED = 5
/** Number of reopened partners shown of many. */
const REOPENED = 3

export function CloseList() {
  const { t } = useTranslation()
  const labels = useLabels()
  const [opened, setOpened] = useState<Close | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: keys.list('period_close', 'all'),
    queryFn: ({ signal }) => http.get<{ items: Close[] }>('period_close', { query: [['limit', String(ALL)]], signal }),
  })
  // Their lines make rows taller: the table waits for them, so that no row moves.
  const { data: reopened = [], isPending } = useQuery({
    queryKey: keys.list('period_close_partner', 'reopened'),
    queryFn: ({ signal }) => loadReopened(signal),
  })
  const later = findLater(data?.items ?? [])
  const { data: taken = [], isLoading: isNaming } = useQuery({
    queryKey: keys.list('period_close_partner', later.join()),
    queryFn: ({ signal }) => loadPartners({ path: 'period_close', operator: 'in', values: later.map(String) }, signal),
    enabled: later.length > 0,
  })
  const columns = ['month', 'partner_group', 'closed_at', 'reopened_at'].map((name) =>
    labels.field('period_close', name),
  )
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined || isPending || isNaming) return <TableSkeleton columns={columns} rows={6} />
  if (data.items.length === 0)
    return <EmptyState title={t(($) => $.finance.closes.empty)} text={t(($) => $.finance.closes.emptyText)} />
  return (
    <>
      <TableFrame label={t(($) => $.finance.closes.history)}>
        <table className={`${tableClasses.table} ${classes.wrapped} ${classes.closes}`}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.items.map((close) => (
              <CloseRow
                key={close.id}
                close={close}
                taken={
                  later.includes(close.id) ? taken.filter(({ period_close }) => period_close.id === close.id) : null
                }
                reopened={reopened.filter(({ period_close }) => period_close.id === close.id)}
                onReopen={() => setOpened(close)}
              />
            ))}
          </tbody>
        </table>
      </TableFrame>
      <ReopenModal close={opened} onClose={() => setOpened(null)} />
    </>
  )
}

interface CloseRowProps {
  readonly close: Close
  /** Its partners, if it took those who were not closed before. */
  readonly taken: readonly ClosedPartner[] | null
  /** Its partners that were reopened. */
  readonly reopened: readonly ReopenedPartner[]
  readonly onReopen: () => void
}

function CloseRow({ close, taken, reopened, onReopen }: CloseRowProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { month, partner_group, closed_at, closed_by, reopened_at, reopened_by, reason } = close
  const isStanding = reopened_at === null
  return (
    <tr>
      <td>
        <Group gap={6}>
          {formatMonth(month, currentLanguage())}
          {!isStanding ? (
            <StateBadge tone="warning">{t(($) => $.finance.closes.reopened)}</StateBadge>
          ) : reopened.length > 0 ? (
            <StateBadge tone="warning">{t(($) => $.finance.closes.reopenedFor, { count: reopened.length })}</StateBadge>
          ) : (
            <StateBadge tone="positive">{t(($) => $.finance.closes.standing)}</StateBadge>
          )}
          {isStanding && can(ADMIN_ONLY) ? (
            <Button size="compact-xs" variant="subtle" onClick={onReopen}>
              {t(($) => $.finance.closes.reopen)}
            </Button>
          ) : null}
        </Group>
      </td>
      <td>
        {partner_group?.title ??
          t(($) => (taken === null ? $.finance.closes.allPartners : $.finance.closes.otherPartners))}
        {taken === null ? null : (
          <span className={classes.who}>
            {joinTexts([
              ...taken.slice(0, NAMED).map(({ partner }) => partner.title),
              ...(taken.length > NAMED ? [t(($) => $.finance.closes.more, { count: taken.length - NAMED })] : []),
            ])}
          </span>
        )}
      </td>
      <td>
        <MomentText value={closed_at} />
        <span className={classes.who}>{closed_by?.title}</span>
      </td>
      <td>
        {isStanding && reopened.length === 0 ? <Dash /> : null}
        {isStanding ? null : (
          <>
            <MomentText value={reopened_at} />
            <span className={classes.who}>{[reopened_by?.title, reason].filter(Boolean).join(': ')}</span>
          </>
        )}
        {isStanding ? <Reopened partners={reopened} /> : null}
      </td>
    </tr>
  )
}

/** Partners whose month was reopened: the first ones, and a button that shows the others. */
export function Reopened({ partners }: { partners: readonly ReopenedPartner[] }) {
  const { t } = useTranslation()
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole || partners.length <= REOPENED + 1 ? partners : partners.slice(0, REOPENED)
  return (
    <>
      {shown.map((one) => (
        <div key={one.id}>
          {one.partner.title} · <MomentText value={one.reopened_at} />
          <span className={classes.who}>{[one.reopened_by?.title, one.reason].filter(Boolean).join(': ')}</span>
        </div>
      ))}
      {shown.length === partners.length ? null : (
        <button type="button" className={classes.sumButton} aria-expanded={false} onClick={() => setIsWhole(true)}>
          {t(($) => $.finance.closes.more, { count: partners.length - shown.length })}
        </button>
      )}
    </>
  )
}

function ReopenModal({ close, onClose }: { close: Close | null; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={close !== null}
      onClose={onClose}
      title={t(($) => $.finance.closes.reopenOf, {
        month: close === null ? '' : formatMonth(close.month, currentLanguage()),
      })}
    >
      {close === null ? null : <ReopenForm key={close.id} close={close} onClose={onClose} />}
    </Modal>
  )
}

function ReopenForm({ close, onClose }: { close: Close; onClose: () => void }) {
  const { t } = useTranslation()
  const reload = useReload()
  const [reason, setReason] = useState('')
  const [partner, setPartner] = useState<LookupOption | null>(null)
  const reopen = async () => {
    try {
      const body = { reason, partner: partner === null ? null : Number(partner.id) }
      await http.put(`period_close/${close.id}/reopen`, body)
      notifySuccess(t(($) => $.form.saved))
      onClose()
    } catch (error) {
      notifyFailure(error)
    }
    await reload()
  }
  return (
    <form onSubmit={onSubmit(reopen)}>
      <LookupSelect
        label={t(($) => $.finance.closes.forPartner)}
        value={partner}
        load={lookupLoader('partner')}
        onChange={setPartner}
      />
      <Textarea
        required
        label={t(($) => $.billing.reason)}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <ModalActions submit={t(($) => $.finance.closes.reopen)} onCancel={onClose} isReady={reason.trim() !== ''} />
    </form>
  )
}
