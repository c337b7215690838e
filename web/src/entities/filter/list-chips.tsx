// Chips above a list: one for each condition, the number of unapproved rows, and a way to clear all.
import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Condition } from '@tributary/contract/list-query'
import { formatMonth, isMonth } from '@tributary/contract/period'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import { FilterChip, FilterChips } from '../../ui/filter-chip.tsx'
import { useIsPhone } from '../../ui/narrow.ts'
import { type FoundField, fieldAt, targetOf } from '../field/field-at.ts'
import { labelOption } from '../field/row-text.ts'
import { useOptions } from '../list/list-query.ts'
import classes from '../list/list-screen.module.css'
import type { ListControl } from '../list/use-list-state.ts'
import { conditionOn, isOpeningCondition, setCondition } from './condition.ts'
import { focusFilter } from './filter-control.tsx'

interface ConditionChipProps {
  name: EntityName
  condition: Condition
  found: FoundField
  onOpen: () => void
  onRemove: () => void
}

/** An active condition in words; a click opens the panel at its filter. */
function ConditionChip(props: ConditionChipProps) {
  const target = targetOf(props.found.field)
  const { operator } = props.condition
  // Values of these operators are typed texts and ids, which need no titles.
  return target === null || operator === 'like' || operator === 'gt' ? (
    <Chip {...props} />
  ) : (
    <OptionsChip {...props} target={target} />
  )
}

function OptionsChip({ target, ...props }: ConditionChipProps & { target: EntityName }) {
  const options = useOptions(target, props.condition.values)
  const { t } = useTranslation()
  const missing = options.filter(({ isMissing }) => isMissing === true).length
  return (
    <>
      <Chip {...props} words={options.map((option) => labelOption(target, option))} />
      {missing === 0 ? null : (
        <span className={classes.missing} role="status">
          {t(($) => $.list.missing, { count: missing })}
        </span>
      )}
    </>
  )
}

/** The chip of a flag shows its value only: 'Active'. */
const isFlag = ({ name, field }: FoundField): boolean =>
  field.kind === 'boolean' && (name === 'active' || name === 'enabled')

/** `words`: the titles of selected rows. */
function Chip({ name, condition, found, words, ...handlers }: ConditionChipProps & { words?: readonly string[] }) {
  const { operator, values } = condition
  const { field } = found
  const labels = useLabels()
  const { t } = useTranslation()
  const wordOf = (value: string): string => {
    if (isFlag(found)) return value === '1' ? t(($) => $.list.activeOnly) : t(($) => $.list.inactiveOnly)
    if (field.kind === 'boolean') return value === '1' ? t(($) => $.values.yes) : t(($) => $.values.no)
    if (field.kind === 'choice' || field.kind === 'choices') return labels.choice(found.entity, found.name, value)
    if (field.kind === 'text' && field.format === 'entity') return labels.entity(value)
    const isMonthField =
      field.kind === 'text' ? field.format === 'month' : field.kind === 'date' && field.isMonth === true
    if (isMonthField && isMonth(value.slice(0, 7))) return formatMonth(value.slice(0, 7), currentLanguage())
    if (field.kind !== 'date' && field.kind !== 'datetime') return value
    // A moment is written as a day and a time.
    const time = value.slice(10)
    return `${formatDay(value.slice(0, 10)) ?? value.slice(0, 10)}${time}`
  }
  const mark = {
    ...{ eq: '', in: '', bwn: '', gt: '> ' },
    nin: `${t(($) => $.engine.operators.nin)} `,
    like: targetOf(field) === null ? '' : `${t(($) => $.engine.operators.like)} `,
  }[operator]
  const rangeText = ([from = '', to = '']: readonly string[]): string => {
    if (from !== '' && from === to) return wordOf(from)
    const preset = presetOf({ from, to }, businessToday())
    if (preset !== null) return t(($) => $.period.presets[preset])
    if (from === '') return t(($) => $.engine.upTo, { value: wordOf(to) })
    if (to === '') return t(($) => $.engine.atLeast, { value: wordOf(from) })
    const [first, last] = [wordOf(from), wordOf(to)]
    // Both days of a month are named by the month.
    return first === last ? first : `${first} – ${last}`
  }
  return (
    <FilterChip
      name={labels.field(name, condition.path)}
      value={operator === 'bwn' ? rangeText(values) : mark + (words ?? values.map(wordOf)).join(', ')}
      isNameless={isFlag(found) && operator !== 'nin'}
      {...handlers}
    />
  )
}

interface ListChipsProps {
  name: EntityName
  list: ListControl
  unapproved: number | null
}

/** Until the drawer of a narrow screen has its content. */
const DRAWER_MS = 250

function openFilter(list: ListControl, path: string): void {
  // The panel must be rendered before its filter can receive the focus.
  flushSync(() => list.setPanelOpen(true))
  if (!focusFilter(path)) setTimeout(() => focusFilter(path), DRAWER_MS)
}

export function ListChips({ name, list, unapproved }: ListChipsProps) {
  const { t } = useTranslation()
  const { query, change } = list
  // Two chips and nothing else are one line.
  const isPhone = useIsPhone()
  const isAsked = conditionOn(query.conditions, 'state')?.values.join() === 'unapproved'
  const showUnapproved = () =>
    change(({ conditions }) => ({ conditions: setCondition(conditions, 'state', 'in', ['unapproved']) }))
  // A switch of the list shows those that the list opens with.
  const shown = query.conditions.filter(
    (condition) => fieldAt(name, condition.path) !== null && !isOpeningCondition(name, condition),
  )
  if (shown.length === 0 && !unapproved) return null
  return (
    <div className={classes.chips}>
      <FilterChips>
        {unapproved && !isAsked ? (
          <button
            type="button"
            className={classes.unapproved}
            title={t(($) => $.engine.onlyUnapproved)}
            onClick={showUnapproved}
          >
            <IconAlertCircle size={14} aria-hidden />
            {t(($) => $.list.unapproved, { count: unapproved })}
          </button>
        ) : null}
        {shown.map((condition) => {
          const found = fieldAt(name, condition.path)
          return found === null ? null : (
            <ConditionChip
              key={`${condition.path} ${condition.operator}`}
              name={name}
              condition={condition}
              found={found}
              onOpen={() => openFilter(list, condition.path)}
              onRemove={() =>
                change(({ conditions }) => ({ conditions: conditions.filter((other) => other !== condition) }))
              }
            />
          )
        })}
        {shown.length > (isPhone ? 2 : 1) ? (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() =>
              change(({ conditions }) => ({ conditions: conditions.filter((condition) => !shown.includes(condition)) }))
            }
          >
            {t(($) => $.actions.clearAll)}
          </Button>
        ) : null}
      </FilterChips>
    </div>
  )
}
