// Shows the terms behind a spend while the mouse rests on its number. The drill-down shows them to everybody else.
import { Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { GeneralReportRowsAnswer } from '@tributary/contract/reports/general'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { formatMoney } from '../../lib/number-format.ts'
import classes from '../report.module.css'
import { drillBody } from './drill-target.ts'
import type { PointedSpend } from './pointed-spend.ts'
import { SpendTerms } from './spend-terms.tsx'

const REST_MS = 350

interface SpendHoverProps {
  pointed: PointedSpend
  currency: string
}

export function SpendHover({ pointed, currency }: SpendHoverProps) {
  const [rested, setRested] = useState<PointedSpend | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRested(pointed), REST_MS)
    return () => clearTimeout(timer)
  }, [pointed])
  return rested !== pointed ? null : <TermsOf spend={rested} currency={currency} />
}

function TermsOf({ spend: { target, at }, currency }: { spend: PointedSpend; currency: string }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const path = `${target.report}/rows`
  const body = drillBody(target, target.metric, { page: 1, limit: 1 })
  const { data } = useQuery({
    queryKey: keys.report(path, body),
    queryFn: ({ signal }) => http.post<GeneralReportRowsAnswer>(path, body, { signal }),
  })
  if (data === undefined || data.terms.length === 0) return null
  return (
    <Tooltip
      opened
      maw={420}
      position="top"
      label={
        <>
          <strong>{t(($) => $.drill.terms.title, { metric: words.metrics.s })}</strong>
          <SpendTerms answer={data} />= {formatMoney(data.total)} {currency}
        </>
      }
    >
      <span aria-hidden className={classes.anchor} style={{ left: at.x, top: at.y }} />
    </Tooltip>
  )
}
