// Edits the levels of the report, outermost first. A dimension that another level has swaps places with it.
import { IconChevronRight, IconPlus } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import {
  DIMENSION_FAMILIES,
  DIMENSION_NAMES,
  type DimensionName,
  dimensionOf,
  type GroupBy,
  isVisibleTo,
} from '@tributary/contract/reports/traffic'
import { type CSSProperties, Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import type { ReportWords } from '../../i18n/shape.ts'
import classes from '../../reports/report.module.css'
import { ChoiceMenu, type Section } from '../../reports/table/choice-menu.tsx'
import { chooseLevel, MAX_LEVELS } from './report-state.ts'

const MANY_LEVELS = 3

interface LevelPickerProps {
  role: RoleKind
  levels: readonly DimensionName[]
  onChange: (levels: readonly DimensionName[]) => void
}

export function LevelPicker({ role, levels, onChange }: LevelPickerProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const sections = sectionsFor(role, levels, words)
  const off: Section<GroupBy> = { title: null, options: [{ name: 'off', label: words.levels.off }] }
  const label = (place: number) => t(($) => $.levels.level, { place: place + 1 })
  return (
    <fieldset
      className={classes.levels}
      style={{ '--levels': levels.length } as CSSProperties}
      data-many-levels={levels.length >= MANY_LEVELS || undefined}
    >
      <legend className={classes.srOnly}>{words.levels.groupBy}</legend>
      {levels.map((level, place) => (
        // By its place, so that it keeps the focus when its dimension changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: a level is its place
        <Fragment key={place}>
          {place === 0 ? null : <IconChevronRight size={14} className={classes.then} aria-label={words.levels.next} />}
          <ChoiceMenu<GroupBy>
            isShort
            shortcut={place === 0 ? 'group' : undefined}
            label={label(place)}
            value={level}
            sections={levels.length > 1 ? [...sections, off] : sections}
            onChoose={(choice) => onChange(chooseLevel(levels, place, choice))}
          />
        </Fragment>
      ))}
      {levels.length < MAX_LEVELS ? (
        <>
          <IconChevronRight size={14} className={classes.then} aria-label={words.levels.next} />
          <ChoiceMenu<GroupBy>
            isPlain
            label={words.levels.add}
            value={null}
            face={<IconPlus size={14} aria-hidden />}
            sections={sections.map(({ title, options }) => ({
              title,
              options: options.filter(({ isUsed }) => !isUsed),
            }))}
            onChoose={(choice) => onChange(chooseLevel(levels, levels.length, choice))}
          />
        </>
      ) : null}
    </fieldset>
  )
}

function sectionsFor(role: RoleKind, levels: readonly DimensionName[], words: ReportWords): Section<GroupBy>[] {
  return DIMENSION_FAMILIES.map((family) => ({
    title: words.families[family],
    options: DIMENSION_NAMES.filter(
      (name) => dimensionOf(name).family === family && isVisibleTo(dimensionOf(name), role),
    ).map((name) => ({ name, label: words.dimensions[name], isUsed: levels.includes(name) })),
  }))
}
