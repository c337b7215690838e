// The panel of a statement: total, lines with what they are made of, invoices, payments, and the next steps.

import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ADMIN_OR_LEADERS } from '@tributary/contract/access'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../data/download.ts'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { formatMoney as moneyText } from '../../lib/number-format.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { ReasonModal } from '../../ui/reason-modal.tsx'
import { FailedState } from '../../ui/states.tsx'
import { DayText, MomentText } from '../../ui/value.tsx'
import { ApproveSelected } from './bulk-steps.tsx'
import { InvoicesTable, isVoidable } from './invoices-table.tsx'
import { PaymentsTable } from './payments-table.tsx'
import classes from './statement.module.css'
import { StatementLines } from './statement-lines.tsx'
import { PaymentModal } from './statement-modals.tsx'
import type { Statement } from './statement-row.ts'
import { StatementBadge } from './statement-state.tsx'
import { StepList } from './step-list.tsx'

type Step = 'approve' | 'void' | 'dispute' | 'resolve'

function StatementView({ row }: { row: Row }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const cache = useQueryClient()
  const [openDialog, setOpenDialog] = useState<Step | 'pay' | null>(null)
  const id = Number(row.id)
  const { data, error, refetch } = useQuery({
    queryKey: keys.row('statement', id),
    queryFn: ({ signal }) => http.get<Statement>(`statement/${id}`, { signal }),
  })
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const change = async (path: string, body: object) => {
    await http.put(path, body)
    await Promise.all(
      ['statement', 'payment_invoice', 'payment'].map((name) =>
        cache.invalidateQueries({ queryKey: keys.entity(name) }),
      ),
    )
  }
  const save = (kind: 'pdf' | 'xlsx') =>
    void download({ path: `statement/${id}/${kind}`, query: { language: currentLanguage() } }).catch(notifyFailure)
  const monthText = formatMonth(data.month, currentLanguage())
  const mayLead = can(ADMIN_OR_LEADERS)
  const refused = data.approval_refused ?? null
  const isOpen = data.state === 'approved' || data.state === 'partly_paid'
  return (
    <div className={classes.view}>
      <Group justify="space-between">
        <p className={classes.total}>
          <MoneyAmount value={data.total} currency={data.currency.value} />
        </p>
        <StatementBadge statement={data} />
      </Group>
      <p className={classes.quiet}>{`${recordNumber(data.id)} · ${data.partner.title} · ${monthText}`}</p>
      <Authors statement={data} />
      <p className={classes.quiet}>
        {labels.field('statement', 'paid')}: <MoneyAmount value={data.paid} currency={data.currency.value} />
        {data.due_on === null ? null : (
          <>
            {' · '}
            {labels.field('statement', 'due_on')}: <DayText value={data.due_on} />
          </>
        )}
      </p>
      <Reason name="dispute_reason" text={data.disputed_at === null ? null : data.dispute_reason} />
      <Reason name="resolve_reason" text={data.resolve_reason} />
      <Reason name="void_reason" text={data.void_reason} />
      {data.carried ? <p className={classes.quiet}>{t(($) => $.billing.carried)}</p> : null}
      <Group gap="xs">
        {mayLead && data.state === 'draft' ? (
          <Action step="approve" isRefused={refused !== null} onClick={() => setOpenDialog('approve')} />
        ) : null}
        {mayLead && isOpen && data.disputed_at === null ? (
          <>
            {data.carried ? null : (
              <Button size="xs" onClick={() => setOpenDialog('pay')}>
                {t(($) => $.billing.pay)}
              </Button>
            )}
            <Action step="dispute" onClick={() => setOpenDialog('dispute')} />
          </>
        ) : null}
        {mayLead && data.disputed_at !== null ? (
          <Action step="resolve" onClick={() => setOpenDialog('resolve')} />
        ) : null}
        {mayLead && isVoidable(data) ? <Action step="void" onClick={() => setOpenDialog('void')} /> : null}
        {data.approved_at === null ? null : (
          <>
            <Button size="xs" variant="default" onClick={() => save('pdf')}>
              PDF
            </Button>
            <Button size="xs" variant="default" onClick={() => save('xlsx')}>
              xlsx
            </Button>
          </>
        )}
      </Group>
      {mayLead && refused !== null ? <p className={classes.warning}>{refused}</p> : null}
      {data.lines === undefined ? null : (
        <StatementLines lines={data.lines} currency={data.currency.value} statement={data.id} />
      )}
      <InvoicesTable statement={data} onChange={change} />
      <PaymentsTable statement={data} onChange={change} />
      <StepList name="statement" id={id} />
      <PaymentModal opened={openDialog === 'pay'} statement={data} onClose={() => setOpenDialog(null)} />
      <ReasonModal
        isOptional
        opened={openDialog === 'approve'}
        title={`${t(($) => $.billing.steps.approve)}: ${moneyText(data.total)}\u00a0${data.currency.value}, ${data.partner.title}`}
        text={t(($) => $.billing.approveText, { month: monthText })}
        submit={t(($) => $.billing.steps.approve)}
        onClose={() => setOpenDialog(null)}
        send={(reason) => change(`statement/${id}/approve`, { reason })}
      />
      <ReasonModal
        opened={openDialog === 'void' || openDialog === 'dispute' || openDialog === 'resolve'}
        title={t(($) => $.billing.steps[openDialog === 'dispute' || openDialog === 'resolve' ? openDialog : 'void'])}
        onClose={() => setOpenDialog(null)}
        send={(reason) => change(`statement/${id}/${openDialog}`, { reason })}
      />
    </div>
  )
}

/** Who made and approved it; a partner sees the time of the approval alone. */
function Authors({ statement: { created_at, created_by, approved_at, approved_by } }: { statement: Statement }) {
  const labels = useLabels()
  if (created_by === undefined && approved_at === null) return null
  return (
    <p className={classes.quiet}>
      {created_by === undefined ? null : (
        <>
          {labels.field('statement', 'created_by')}: {created_by?.title ?? ''} <MomentText value={created_at} />
        </>
      )}
      {created_by === undefined || approved_at === null ? null : ' · '}
      {approved_at === null ? null : (
        <>
          {approved_by
            ? `${labels.field('statement', 'approved_by')}: ${approved_by.title} `
            : `${labels.field('statement', 'approved_at')}: `}
          <MomentText value={approved_at} />
        </>
      )}
    </p>
  )
}

function Reason({ name, text }: { name: string; text: string | null | undefined }) {
  const labels = useLabels()
  return text == null ? null : <p className={classes.warning}>{`${labels.field('statement', name)}: ${text}`}</p>
}

interface ActionProps {
  readonly step: Step
  readonly isRefused?: boolean
  readonly onClick: () => void
}

function Action({ step, isRefused = false, onClick }: ActionProps) {
  const { t } = useTranslation()
  return (
    <Button
      size="xs"
      disabled={isRefused}
      variant={step === 'approve' ? 'filled' : 'default'}
      onClick={onClick}
      {...(step === 'void' && { c: 'var(--negative)' })}
    >
      {t(($) => $.billing.steps[step])}
    </Button>
  )
}

export const STATEMENT_LIST: ListSlots = { view: StatementView, panelWidth: 960, BulkActions: ApproveSelected }
