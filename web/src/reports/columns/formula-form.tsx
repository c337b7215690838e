// The form of a formula: its title, expression with a preview, and unit.

import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import {
  evaluateFormula,
  FORMULA_UNITS,
  type FormulaError,
  type FormulaUnit,
  parseFormula,
} from '@tributary/contract/reports/formula'
import type { Metrics } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { formatMoney } from '../../lib/number-format.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { useFieldError } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { refreshFormulas } from '../saved/saved-query.ts'
import classes from './formula-form.module.css'

interface FormulaFormProps {
  /** Null creates a new formula. */
  formula: ReportFormula | null
  metrics: readonly MetricName[]
  /** The total on which the preview is computed. */
  total: Metrics | undefined
  onDone: () => void
}

export function FormulaForm({ formula, metrics, total, onDone }: FormulaFormProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const [title, setTitle] = useState(formula?.title ?? '')
  const [expression, setExpression] = useState(formula?.expression ?? '')
  const [unit, setUnit] = useState<FormulaUnit>(formula?.unit ?? 'money')
  const fault = useFieldError('title')
  const { isBusy, run } = useBusy()
  const field = useRef<HTMLTextAreaElement>(null)
  const { node, error } = parseFormula(expression)
  const value = node === null || total === undefined ? null : evaluateFormula(node, unit, (name) => total[name])
  const insert = (name: MetricName) => {
    const { selectionStart = expression.length, selectionEnd = expression.length } = field.current ?? {}
    setExpression(`${expression.slice(0, selectionStart)}${name}${expression.slice(selectionEnd)}`)
    field.current?.focus()
  }
  const act = (work: () => Promise<unknown>) =>
    run(
      async () => {
        await work()
        await refreshFormulas()
        onDone()
      },
      (failure) => fault.show(failure),
    )
  const body = { title: title.trim(), expression, unit }
  const save = () =>
    formula === null
      ? http.post('report_formula', body)
      : http.put(`report_formula/${formula.id}`, { ...body, version: formula.version })
  const remove = async () => {
    if (formula === null) return
    const isSure = await askForConfirmation({
      title: t(($) => $.formulas.deleteAsk, { name: formula.title }),
      confirm: words.formulas.delete,
      danger: true,
    })
    if (isSure) await act(() => http.delete(`report_formula/${formula.id}`))
  }
  return (
    <form className={classes.form} onSubmit={onSubmit(() => act(save))}>
      <TextInput
        data-autofocus
        label={words.formulas.title}
        required
        maxLength={255}
        error={fault.text}
        value={title}
        onChange={({ currentTarget }) => {
          setTitle(currentTarget.value)
          fault.clear()
        }}
      />
      <Textarea
        ref={field}
        label={words.formulas.expression}
        description={words.formulas.hint}
        required
        autosize
        minRows={2}
        spellCheck={false}
        classNames={{ input: classes.expression ?? '' }}
        value={expression}
        error={expression === '' || error === null ? null : explainError(error, t, words.formulas.problems)}
        onChange={({ currentTarget }) => setExpression(currentTarget.value)}
      />
      <div className={classes.names}>
        {metrics.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.name}
            onClick={() => insert(name)}
            title={words.metrics[name]}
          >
            <code>{name}</code> {words.metrics[name]}
          </button>
        ))}
      </div>
      <SegmentedControl
        size="xs"
        aria-label={words.formulas.unit}
        data={FORMULA_UNITS.map((one) => ({ value: one, label: words.formulas.units[one] }))}
        value={unit}
        onChange={(chosen) => setUnit(FORMULA_UNITS.find((one) => one === chosen) ?? 'money')}
      />
      <p className={classes.preview} aria-live="polite">
        {node === null ? null : t(($) => $.formulas.preview, { value: formatMoney(value) ?? '–' })}
      </p>
      <div className={classes.buttons}>
        {formula === null ? null : (
          <Button variant="subtle" color="red" size="compact-sm" disabled={isBusy} onClick={() => void remove()}>
            {words.formulas.delete}
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={onDone}>
          {words.saved.cancel}
        </Button>
        <Button type="submit" size="compact-sm" loading={isBusy} disabled={node === null || title.trim() === ''}>
          {words.formulas.save}
        </Button>
      </div>
    </form>
  )
}

type Translate = ReturnType<typeof useTranslation<'reports'>>['t']

function explainError(
  { problem, at, text }: FormulaError,
  t: Translate,
  plain: Readonly<Record<string, string>>,
): string {
  if (problem === 'unknown_name') return t(($) => $.formulas.problems.unknown_name, { text })
  if (problem === 'unexpected') return t(($) => $.formulas.problems.unexpected, { text, at: at + 1 })
  return plain[problem] ?? ''
}
