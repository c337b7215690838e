// The statements of a month beside its preview: their state, files, and what the CRM answered about each invoice.

import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ALL } from '@tributary/contract/limits'
import { type Condition, EMPTY_QUERY, writeListQuery } from '@tributary/contract/list-query'
import { useTranslation } from 'react-i18next'
import { download } from '../../data/download.ts'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { PANEL_PARAM } from '../../entities/field/row-link.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import { CrmAnswers } from './crm-answers.tsx'
import classes from './statement.module.css'
import type { Statement, StatementInvoice } from './statement-row.ts'
import { StatementBadge } from './statement-state.tsx'

type Invoice = StatementInvoice & { readonly statement: { readonly id: number } | null }

/** Loads all rows of a list, the latest first. */
const loadAll = async <T,>(entity: string, conditions: readonly Condition[], signal: AbortSignal): Promise<T[]> => {
  const query = writeListQuery({ ...EMPTY_QUERY, limit: ALL, conditions, order: [{ path: 'id', desc: true }] })
  return (await http.get<{ items: T[] }>(entity, { query, signal })).items
}

export function Documents({ month, partner }: { month: string; partner: number | null }) {
  const { t } = useTranslation()
  const ofPartner: Condition[] =
    partner === null ? [] : [{ path: 'partner', operator: 'eq', values: [String(partner)] }]
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.entity('statement'), 'documents', month, partner],
    queryFn: async ({ signal }) => {
      const [statements, invoices] = await Promise.all([
        loadAll<Statement>('statement', [{ path: 'month', operator: 'eq', values: [month] }, ...ofPartner], signal),
        loadAll<Invoice>(
          'payment_invoice',
          [{ path: 'date_from', operator: 'eq', values: [`${month}-01`] }, ...ofPartner],
          signal,
        ),
      ])
      return { statements, invoices: Map.groupBy(invoices, ({ statement }) => statement?.id) }
    },
    staleTime: 0,
  })
  return (
    <>
      <h2 className={classes.title}>{t(($) => $.billing.documents)}</h2>
      {error ? <FailedState error={error} onRetry={() => void refetch()} /> : null}
      {data?.statements.length === 0 ? <p className={classes.quiet}>{t(($) => $.billing.noDocuments)}</p> : null}
      {data === undefined ? null : <DocumentList {...data} />}
    </>
  )
}

interface DocumentListProps {
  readonly statements: readonly Statement[]
  /** By statement. */
  readonly invoices: ReadonlyMap<number | undefined, readonly Invoice[]>
}

/** Voided statements are folded below the others, unless there are no others. */
function DocumentList({ statements, invoices }: DocumentListProps) {
  const { t } = useTranslation()
  const live = statements.filter(({ state }) => state !== 'void')
  const voided = statements.filter(({ state }) => state === 'void')
  const list = (some: readonly Statement[]) =>
    some.map((statement) => (
      <Document key={statement.id} statement={statement} invoices={invoices.get(statement.id) ?? []} />
    ))
  return (
    <>
      {list(live)}
      {voided.length === 0 ? null : (
        <details className={classes.voided} open={live.length === 0}>
          <summary>{t(($) => $.billing.voided, { count: voided.length })}</summary>
          {list(voided)}
        </details>
      )}
    </>
  )
}

function Document({ statement, invoices }: { statement: Statement; invoices: readonly Invoice[] }) {
  const { id, partner, currency, total, approved_at } = statement
  const save = () =>
    void download({ path: `statement/${id}/pdf`, query: { language: currentLanguage() } }).catch(notifyFailure)
  return (
    <article className={classes.document}>
      <div className={classes.documentHead}>
        <Link to="/statements" search={() => ({ [PANEL_PARAM]: id })} className={classes.link ?? ''}>
          {`${recordNumber(id)} · ${partner.title}`}
        </Link>
        <StatementBadge statement={statement} />
      </div>
      <Group justify="space-between">
        <span>
          <MoneyAmount value={total} currency={currency.value} />
        </span>
        {approved_at === null ? null : (
          <Button size="compact-xs" variant="default" onClick={save} aria-label={`PDF ${recordNumber(id)}`}>
            PDF
          </Button>
        )}
      </Group>
      <CrmAnswers statement={id} currency={currency.value} invoices={invoices} />
    </article>
  )
}
