// Shows the terms behind a spend while the mouse rests on its number. The drill-down shows them to everybody else.
import { Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { GeneralReportRowsAnswer } from '@tributary/contract/reports/general'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { formatMoney } from '../../lib/number-format.ts'
import classes from '../report.module.css'
import { type DrillTarget, drillBody } from './drill-target.ts'
import { SpendTerms } from './spend-terms.tsx'

interface PointedSpend {
  readonly target: DrillTarget
  /** The middle of the cell's upper edge in the window. */
  readonly at: { readonly x: number; readonly y: number }
}

const REST_MS = 350

/** A formula with spend in it is no sum of spends. */
const isSpend = ({ metric, formula }: DrillTarget): boolean =>
  formula === undefined && (metric === 's' || metric === 's_2')

/** Returns the spend under the mouse, and what is called when the mouse comes to a number, and with null when it leaves it. */
export function usePointedSpend() {
  const [pointed, setPointed] = useState<PointedSpend | null>(null)
  const point = (target: DrillTarget | null, element: Element | null = null) => {
    if (target === null || element === null || !isSpend(target)) return setPointed(null)
    const { left, width, top } = element.getBoundingClientRect()
    setPointed({ target, at: { x: left + width / 2, y: top } })
  }
  return [pointed, point] as const
}

interface SpendHoverProps {
  pointed: PointedSpend | null
  currency: string
}

export function SpendHover({ pointed, currency }: SpendHoverProps) {
  const [rested] = useDebouncedValue(pointed, REST_MS)
  return rested === null || rested !== pointed ? null : <TermsOf spend={rested} currency={currency} />
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
