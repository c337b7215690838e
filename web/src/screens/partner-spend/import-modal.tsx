// Imports a file of spends: what it would change is shown first, then that file is taken.
import { Button, Checkbox, Modal, Select } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { SPEND_IMPORT_RULE, type SpendImport } from '@tributary/contract/calls/spend-import'
import { MEGABYTE } from '@tributary/contract/limits'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { lastMonths } from '../../lib/last-months.ts'
import { formatCount } from '../../lib/number-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { notifySuccess } from '../../ui/notify.ts'
import { FileUpload } from '../../ui/upload/file-upload.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import classes from './spend-panels.module.css'
import { useSpendRefresh } from './use-spend-table.ts'

interface ImportButtonProps {
  /** Null: streams of all partners are taken. */
  partner: { readonly id: number; readonly title: string } | null
  /** 'YYYY-MM' that is shown; null: no month is. */
  month: string | null
}

export function SpendImportButton({ partner, month }: ImportButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.spends.import.open)}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        size={640}
        title={
          partner === null
            ? t(($) => $.spends.import.title)
            : t(($) => $.spends.import.titleOf, { partner: partner.title })
        }
      >
        <ImportSteps partner={partner} month={month} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function ImportSteps({ partner, month: shown, onClose }: ImportButtonProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const refresh = useSpendRefresh()
  const [outcome, setOutcome] = useState<SpendImport | null>(null)
  const { isBusy, run } = useBusy()
  // A new count resets the upload area.
  const [tries, setTries] = useState(0)
  const [month, setMonth] = useState(shown)
  const [takesOver, setTakesOver] = useState(true)
  const months = [...new Set([...(shown === null ? [] : [shown]), ...lastMonths(businessToday())])].sort().reverse()
  const query = [
    ...(partner === null ? [] : [['partner', String(partner.id)] as const]),
    ...(month === null ? [] : [['month', month] as const]),
  ]
  const take = () =>
    run(async () => {
      if (outcome === null) return
      const choice = takesOver ? [] : [['only_changes', '1'] as const]
      const done = await http.post<SpendImport>(`partner_spend/import/${outcome.import}`, undefined, {
        query: [...query, ...choice],
      })
      setOutcome(done)
      notifySuccess(t(($) => $.spends.import.done, { count: done.new + done.changed }))
      await refresh()
    })
  if (outcome === null)
    return (
      <>
        <p className={classes.hint}>{t(($) => $.spends.import.layouts)}</p>
        <Select
          clearable
          mb="sm"
          label={t(($) => $.spends.import.month)}
          description={t(($) => $.spends.import.monthText)}
          placeholder={t(($) => $.spends.import.monthNone)}
          data={months.map((value) => ({ value, label: formatMonth(value, currentLanguage()) }))}
          value={month}
          onChange={setMonth}
        />
        <FileUpload
          key={tries}
          label={t(($) => $.spends.import.label)}
          description={t(($) => $.spends.import.hint, {
            types: SPEND_IMPORT_RULE.extensions.map((extension) => `.${extension}`).join(', '),
            size: SPEND_IMPORT_RULE.maxBytes / MEGABYTE,
          })}
          rule={SPEND_IMPORT_RULE}
          send={(file, options) =>
            http.upload<SpendImport>('partner_spend/import', file, { ...options, query: [['dry_run', '1'], ...query] })
          }
          onChange={([result]) => result !== undefined && setOutcome(result)}
        />
      </>
    )
  const hasChanges = outcome.new + outcome.changed > 0
  const { sums, warnings, warningsTotal } = summarizeTaking(outcome, takesOver)
  return (
    <>
      <p className={classes.hint}>
        {t(($) => $.spends.import[outcome.done ? 'taken' : hasChanges ? 'wouldTake' : 'nothing'])}
      </p>
      <TabNote outcome={outcome} />
      <dl className={classes.counts}>
        <Figure label={t(($) => $.spends.import.new)} value={outcome.new} />
        <Figure label={t(($) => $.spends.import.changed)} value={outcome.changed - outcome.taken_over} />
        {outcome.taken_over > 0 ? (
          <Figure label={t(($) => $.spends.import.takenOver)} value={outcome.taken_over} />
        ) : null}
        <Figure label={t(($) => $.spends.import.equal)} value={outcome.equal} />
        <Figure label={t(($) => $.spends.import.refused)} value={outcome.refused_total} />
      </dl>
      {outcome.taken_over > 0 && !outcome.done ? (
        <Checkbox
          label={t(($) => $.spends.import.takeOver, { count: outcome.taken_over })}
          description={t(($) => $.spends.import.takeOverText)}
          checked={takesOver}
          onChange={(event) => setTakesOver(event.currentTarget.checked)}
        />
      ) : null}
      <NoteList title={t(($) => $.spends.import.refused)} notes={outcome.refused} total={outcome.refused_total} />
      <NoteList title={t(($) => $.spends.import.warnings)} notes={warnings} total={warningsTotal} />
      <div className={classes.actions}>
        {outcome.done ? (
          <Button data-autofocus onClick={onClose}>
            {t(($) => $.actions.close)}
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              onClick={() => {
                setOutcome(null)
                setTakesOver(true)
                setTries(tries + 1)
              }}
            >
              {t(($) => $.spends.import.other)}
            </Button>
            {sums > 0 ? (
              <Button loading={isBusy} onClick={() => void take()}>
                {t(($) => $.spends.import.take, { count: sums })}
              </Button>
            ) : null}
          </>
        )}
      </div>
    </>
  )
}

/** What the choice about equal sums of a sheet leaves to take, and to warn of. */
export function summarizeTaking(
  { new: added, changed, taken_over: equal, warnings, warnings_total: total }: SpendImport,
  takesOver: boolean,
): { sums: number; warnings: SpendImport['warnings']; warningsTotal: number } {
  if (takesOver) return { sums: added + changed, warnings, warningsTotal: total }
  const others = warnings.filter(({ code }) => code !== 'spend_kept_from_sheet')
  return { sums: added + changed - equal, warnings: others, warningsTotal: total - equal }
}

/** Says which tab was read, where a file has several. */
function TabNote({ outcome: { tab, other_tabs: others } }: { outcome: SpendImport }) {
  const { t } = useTranslation()
  if (tab === null) return null
  const tabs = others.join(', ')
  return (
    <p className={classes.hint}>
      {t(($) => $.spends.import.tab, { tab })} {tabs === '' ? null : t(($) => $.spends.import.otherTabs, { tabs })}
    </p>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatCount(value)}</dd>
    </div>
  )
}

function NoteList({ title, notes, total }: { title: string; notes: SpendImport['refused']; total: number }) {
  const { t } = useTranslation()
  if (notes.length === 0) return null
  return (
    <>
      <h3 className={classes.subtitle}>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <ul className={classes.notes} tabIndex={0} aria-label={title}>
        {notes.map(({ cell, code, message }) => (
          <li key={`${cell} ${code}`}>
            <code>{cell}</code> {message}
          </li>
        ))}
        {total > notes.length ? <li>{t(($) => $.spends.import.more, { count: total - notes.length })}</li> : null}
      </ul>
    </>
  )
}
