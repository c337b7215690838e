// Drill-down: the records behind a number, which add up to it. A ratio offers the metrics that it is computed from.
import { Drawer } from '@mantine/core'
import { metricOf, splitKey } from '@tributary/contract/reports/traffic'
import { useReportWords } from '../../i18n/labels.ts'
import { loadScreenWords } from '../../i18n/language.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { formatMoney } from '../../lib/number-format.ts'
import { Deferred } from '../../ui/deferred.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { formatNumber } from '../table/report-columns.ts'
import classes from './drill.module.css'
import type { DrillTarget } from './drill-target.ts'

const DrillRows = lazyComponent('drill-down', async () => {
  const [{ DrillRows: Rows }] = await Promise.all([import('./drill-rows.tsx'), loadScreenWords()])
  return Rows
})

interface DrillDrawerProps {
  /** Null: the drawer is closed. */
  target: DrillTarget | null
  currency: string
  /** Called when the records no longer add up to the shown number, because data changed after the report was built. */
  onMoved: () => void
  onClose: () => void
}

export function DrillDrawer({ target, currency, onMoved, onClose }: DrillDrawerProps) {
  const words = useReportWords()
  const shown = useLastValue(target)
  return (
    <Drawer
      opened={target !== null}
      onClose={onClose}
      position="right"
      size="min(920px, 100vw)"
      classNames={{ content: classes.content, body: classes.body }}
      title={shown === null ? null : <DrillTitle target={shown} currency={currency} />}
      closeButtonProps={{ 'aria-label': words.drill.title }}
    >
      {shown === null ? null : (
        <Deferred>
          <DrillRows target={shown} currency={currency} onMoved={onMoved} />
        </Deferred>
      )}
    </Drawer>
  )
}

function DrillTitle({
  target: { metric: key, formula: own, shown, titles },
  currency,
}: {
  target: DrillTarget
  currency: string
}) {
  const words = useReportWords()
  const { metric, isSecond } = splitKey(key)
  const unit = own?.unit ?? metricOf(metric).unit
  return (
    <div className={classes.title}>
      <span className={classes.path}>{titles.length === 0 ? words.drill.whole : titles.join(' › ')}</span>
      <span className={classes.number}>
        {own?.title ?? words.metrics[metric]}
        {isSecond ? ` · ${words.second.label}` : ''}
        <b>
          {own ? formatMoney(shown) : formatNumber(metric, shown)}{' '}
          {unit === 'money' ? currency : unit === 'percent' ? '%' : ''}
        </b>
      </span>
      {own ? <code className={classes.path}>{own.expression}</code> : null}
    </div>
  )
}
