// What a parse would read of a sheet, and the headings that the partner's sheet gives its columns.
import { Button, Group, MultiSelect, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { SheetPreview } from '@tributary/contract/calls/spend-sheet'
import {
  SHEET_COLUMNS,
  SHEET_LAYOUTS,
  type SheetColumn,
  type SheetLayout,
  type SheetMapping,
} from '@tributary/contract/sheet-mapping'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { formatDay } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import classes from './parse-modal.module.css'
import { IgnoredColumns, SheetWarnings } from './sheet-warnings.tsx'

type Headings = Partial<Record<SheetColumn, string | null | undefined>>

interface SheetPreviewPanelProps {
  /** Of the membership whose sheet it is. */
  path: string
  month: string | null
  first: SheetPreview
}

export function SheetPreviewPanel({ path, month, first }: SheetPreviewPanelProps) {
  const { t } = useTranslation()
  const [layout, setLayout] = useState<SheetLayout | null>(first.mapping?.layout ?? null)
  const [headings, setHeadings] = useState<Headings>(first.mapping?.headings ?? {})
  const [ignored, setIgnored] = useState<string[]>(first.mapping?.ignored ?? [])
  const mapping: SheetMapping = { layout, headings, ignored }
  const again = useMutation({
    mutationFn: () => http.post<SheetPreview>(`${path}/preview_sheet`, { month, mapping }),
    onError: notifyFailure,
  })
  const save = useMutation({
    mutationFn: () => http.put(`${path}/sheet_mapping`, { mapping }),
    onSuccess: () => notifySuccess(t(($) => $.sheets.preview.saved)),
    onError: notifyFailure,
  })
  const seen = again.data ?? first
  const foundAs = (column: SheetColumn): string | undefined =>
    seen.columns.find((found) => found.column === column)?.heading
  const isRepeated = new Set(SHEET_COLUMNS.filter((column) => isChosenTwice(headings, column)))
  const ignorable = [...new Set([...seen.left_columns.map(({ heading }) => heading), ...ignored])]
  return (
    <section>
      <h3 className={classes.heading}>{seen.title}</h3>
      <Reading seen={seen} />
      <Sample sample={seen.sample} />
      <h4 className={classes.heading}>{t(($) => $.sheets.preview.mapping)}</h4>
      <div className={classes.mapping}>
        <Select
          clearable
          label={t(($) => $.sheets.preview.layoutLabel)}
          placeholder={t(($) => $.sheets.preview.detected)}
          data={SHEET_LAYOUTS.map((value) => ({ value, label: t(($) => $.sheets.preview.layouts[value]) }))}
          value={layout}
          onChange={setLayout}
        />
        {SHEET_COLUMNS.map((column) => (
          <Select
            key={column}
            clearable
            label={t(($) => $.sheets.preview.columns[column])}
            placeholder={foundAs(column) ?? t(($) => $.sheets.preview.notFound)}
            data={[...new Set([...seen.headings, ...Object.values(headings).filter((heading) => heading != null)])]}
            value={headings[column] ?? null}
            error={isRepeated.has(column) ? t(($) => $.sheets.preview.repeated) : undefined}
            onChange={(heading) => setHeadings((before) => ({ ...before, [column]: heading }))}
          />
        ))}
      </div>
      {ignorable.length === 0 ? null : (
        <MultiSelect
          clearable
          mt="sm"
          label={t(($) => $.sheets.preview.ignored)}
          description={t(($) => $.sheets.preview.ignoredText)}
          data={ignorable}
          value={ignored}
          onChange={setIgnored}
        />
      )}
      <Group justify="flex-end" mt="sm">
        <Button
          variant="default"
          disabled={isRepeated.size > 0}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          {t(($) => $.sheets.preview.again)}
        </Button>
        <Button variant="default" disabled={isRepeated.size > 0} loading={save.isPending} onClick={() => save.mutate()}>
          {t(($) => $.sheets.preview.save)}
        </Button>
      </Group>
      <h4 className={classes.heading}>{t(($) => $.sheets.warnings)}</h4>
      <SheetWarnings warnings={seen.warnings} url={seen.url || null} />
      <IgnoredColumns columns={seen.left_columns.filter((column) => column.is_ignored)} />
    </section>
  )
}

const isChosenTwice = (headings: Headings, column: SheetColumn): boolean =>
  headings[column] != null &&
  SHEET_COLUMNS.some((other) => other !== column && headings[other]?.toLowerCase() === headings[column]?.toLowerCase())

const SAMPLE_COLUMNS = ['stream', 'country', 'site', 'date', 'sum', 'currency'] as const

/** The first spends as they are read; columns that none of them has are left out. */
function Sample({ sample }: Pick<SheetPreview, 'sample'>) {
  const { t } = useTranslation()
  const shown = SAMPLE_COLUMNS.filter((column) => sample.some((spend) => spend[column] !== null))
  if (sample.length === 0) return null
  const label = t(($) => $.sheets.preview.sample)
  return (
    <>
      <h4 className={classes.heading}>{label}</h4>
      <div className={classes.sample}>
        <TableFrame label={label}>
          <table className={tableClasses.table}>
            <thead>
              <tr>
                {shown.map((column) => (
                  <th key={column} scope="col" className={column === 'sum' ? tableClasses.number : undefined}>
                    {t(($) => $.sheets.preview.columns[column])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sample.map((spend) => (
                <tr key={spend.cell}>
                  {shown.map((column) => (
                    <td key={column} className={column === 'sum' ? tableClasses.number : undefined}>
                      {textOf(spend, column)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      </div>
    </>
  )
}

function textOf(spend: SheetPreview['sample'][number], column: (typeof SAMPLE_COLUMNS)[number]): string | null {
  if (column === 'date') return formatDay(spend.date) ?? spend.date
  return column === 'sum' ? (formatDecimal(spend.sum, 2) ?? spend.sum) : spend[column]
}

/** Spends that are read need not be taken: their month may be closed, or their streams unknown. */
function Reading({ seen }: { seen: SheetPreview }) {
  const { layout, tab, cells, rows_taken: taken, rows_changed: changed, rows_removed: removed } = seen
  const { t } = useTranslation()
  if (layout === null) return <p className={classes.text}>{t(($) => $.sheets.preview.nothing)}</p>
  const count = t(($) => $.sheets.preview.cells, { count: cells })
  return (
    <>
      <p className={classes.text}>
        {t(($) => $.sheets.preview.layout[layout], { tab: tab ?? '', cells: count })}
        {taken === cells ? null : t(($) => $.sheets.preview.taken, { count: taken })}
      </p>
      {changed === 0 ? null : <p className={classes.text}>{t(($) => $.sheets.preview.changes, { count: changed })}</p>}
      {removed === 0 ? null : (
        <p className={classes.text}>
          <b>{t(($) => $.sheets.preview.removes, { count: removed })}</b>
        </p>
      )}
    </>
  )
}
