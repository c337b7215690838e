// Conditions on numbers: which one, how it compares, with what. A condition is in force when it is added.
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import type { MetricKey } from '@tributary/contract/reports/general'
import { splitKey } from '@tributary/contract/reports/traffic'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { metricsFor } from '../table/report-columns.ts'
import type { FilterControl } from './filter-control.ts'
import classes from './filter-panel.module.css'
import { COMPARISON_SIGNS, COMPARISONS, type Comparison, isMetricKey } from './metric-condition.ts'

export function MetricConditions({ control, role }: { control: FilterControl; role: RoleKind }) {
  const { t } = useTranslation('reports')
  const { t: common } = useTranslation()
  const words = useReportWords()
  const { state, change } = control
  const conditions = state.conditions ?? []
  const [metric, setMetric] = useState<MetricKey>('nd')
  const [comparison, setComparison] = useState<Comparison>('gt')
  const [text, setText] = useState('')
  const labelOf = (key: MetricKey) => {
    const { metric: name, isSecond } = splitKey(key)
    return isSecond ? t(($) => $.filterPanel.second, { metric: words.metrics[name] }) : words.metrics[name]
  }
  const keys = metricsFor(role).flatMap((name): MetricKey[] =>
    state.second === undefined || state.second === 'off' ? [name] : [name, `${name}_2`],
  )
  const value = Number(text.replace(',', '.'))
  const isNumber = text.trim() !== '' && Number.isFinite(value)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isNumber) return
    const others = conditions.filter((old) => old.metric !== metric || old.comparison !== comparison)
    change({ conditions: [...others, { metric, comparison, value }] })
    setText('')
  }
  return (
    <div className={classes.field}>
      <p className={classes.hint}>{words.filterPanel.numbersHint}</p>
      {conditions.map((condition) => (
        <div key={`${condition.metric} ${condition.comparison}`} className={classes.condition}>
          <span>
            {labelOf(condition.metric)} {COMPARISON_SIGNS[condition.comparison]} {condition.value}
          </span>
          <ActionIcon
            size={24}
            aria-label={`${common(($) => $.actions.remove)}: ${labelOf(condition.metric)}`}
            onClick={() => change({ conditions: conditions.filter((other) => other !== condition) })}
          >
            <IconX size={13} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <form className={classes.addCondition} onSubmit={add}>
        <NativeSelect
          aria-label={words.filterPanel.metric}
          className={classes.metric}
          value={metric}
          data={keys.map((key) => ({ value: key, label: labelOf(key) }))}
          onChange={(event) => {
            if (isMetricKey(event.currentTarget.value)) setMetric(event.currentTarget.value)
          }}
        />
        <NativeSelect
          aria-label={words.filterPanel.comparison}
          value={comparison}
          data={COMPARISONS.map((name) => ({ value: name, label: COMPARISON_SIGNS[name] }))}
          onChange={(event) =>
            setComparison(COMPARISONS.find((name) => name === event.currentTarget.value) ?? comparison)
          }
        />
        <TextInput
          aria-label={words.filterPanel.value}
          inputMode="decimal"
          placeholder="0"
          value={text}
          error={text !== '' && !isNumber}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          className={classes.add}
          disabled={!isNumber}
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {words.filterPanel.addCondition}
        </Button>
      </form>
    </div>
  )
}
