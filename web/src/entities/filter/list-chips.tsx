// The line of what is in force: a chip for each condition, how many rows wait for approval, a way to clear all.
import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Condition } from '@tributary/contract/list-query'
import type { Preset } from '@tributary/contract/period'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import { FilterChip, FilterChips } from '../../ui/filter-chip.tsx'
import { type FoundField, fieldAt, targetOf } from '../field/field-at.ts'
import { labelOption } from '../field/row-text.ts'
import { useOptions } from '../list/list-query.ts'
import classes from '../list/list-screen.module.css'
import type { ListControl } from '../list/use-list-state.ts'
import { conditionOn, setCondition } from './condition.ts'
import { focusFilter } from './filter-panel.tsx'

// A condition in force, in words; a press opens the panel at its filter.
interface ConditionChipProps {
  name: EntityName
  condition: Condition
  found: FoundField
  onOpen: () => void
  onRemove: () => void
}

function ConditionChip(props: ConditionChipProps) {
  const target = targetOf(props.found.field)
  const { operator } = props.condition
  // Titles and ids are typed, not chosen.
  return target === null || operator === 'like' || operator === 'gt' ? (
    <PlainChip {...props} />
  ) : (
    <OptionsChip {...props} target={target} />
  )
}

function OptionsChip({ target, ...props }: ConditionChipProps & { target: EntityName }) {
  const options = useOptions(target, props.condition.values)
  return <Chip {...props} words={options.map((option) => labelOption(target, option))} />
}

function PlainChip(props: ConditionChipProps) {
  const { condition, found } = props
  const labels = useLabels()
  const { t } = useTranslation()
  const { field } = found
  const wordOf = (value: string): string => {
    if (isFlag(found)) return value === '1' ? t(($) => $.list.activeOnly) : t(($) => $.list.inactiveOnly)
    if (field.kind === 'boolean') return value === '1' ? t(($) => $.values.yes) : t(($) => $.values.no)
    if (field.kind === 'choice' || field.kind === 'choices') return labels.choice(found.entity, found.name, value)
    if (field.kind === 'text' && field.format === 'entity') return labels.entity(value)
    return field.kind === 'date' || field.kind === 'datetime' ? (formatDay(value) ?? value) : value
  }
  const presetWord = (preset: Preset) => t(($) => $.period.presets[preset])
  const words = condition.operator === 'bwn' ? [] : condition.values.map(wordOf)
  return <Chip {...props} words={words} range={describeRange(condition, wordOf, presetWord)} />
}

/** Says by itself what is shown: 'Active' needs no name before it. */
const isFlag = ({ name, field }: FoundField): boolean =>
  field.kind === 'boolean' && (name === 'active' || name === 'enabled')

/** 'a – b', or the one end that is given; null when it is no range. */
function describeRange(
  { operator, values }: Condition,
  wordOf: (value: string) => string,
  presetWord: (preset: Preset) => string,
): { from: string; to: string } | string | null {
  if (operator !== 'bwn') return null
  const [from = '', to = ''] = values
  if (from !== '' && from === to) return wordOf(from)
  const preset = presetOf({ from, to }, businessToday())
  if (preset !== null) return presetWord(preset)
  return { from: from === '' ? '' : wordOf(from), to: to === '' ? '' : wordOf(to) }
}

function Chip({
  name,
  condition,
  words,
  range = null,
  found,
  onOpen,
  onRemove,
}: ConditionChipProps & { words: readonly string[]; range?: ReturnType<typeof describeRange> }) {
  const labels = useLabels()
  const { t } = useTranslation()
  const isTyped = targetOf(found.field) !== null
  const marks = {
    nin: `${t(($) => $.engine.operators.nin)} `,
    gt: '> ',
    like: isTyped ? `${t(($) => $.engine.operators.like)} ` : '',
  }
  const mark = { eq: '', in: '', bwn: '', ...marks }[condition.operator]
  const text = () => {
    if (range === null) return `${mark}${words.join(', ')}`
    if (typeof range === 'string') return range
    if (range.from === '') return t(($) => $.engine.upTo, { value: range.to })
    return range.to === '' ? t(($) => $.engine.atLeast, { value: range.from }) : `${range.from} – ${range.to}`
  }
  return (
    <FilterChip
      name={labels.field(name, condition.path)}
      value={text()}
      isNameless={isFlag(found) && condition.operator !== 'nin'}
      onOpen={onOpen}
      onRemove={onRemove}
    />
  )
}

interface ListChipsProps {
  name: EntityName
  role: RoleKind
  list: ListControl
  unapproved: number | null
}

function openFilter(list: ListControl, path: string): void {
  // The panel must be on the page before its filter can take the focus.
  flushSync(() => list.setPanelOpen(true))
  focusFilter(path)
}

export function ListChips({ name, role, list, unapproved }: ListChipsProps) {
  const { t } = useTranslation()
  const { query, change } = list
  const isAsked = conditionOn(query.conditions, 'state')?.values.join() === 'unapproved'
  const showUnapproved = () =>
    change(({ conditions }) => ({ conditions: setCondition(conditions, 'state', 'in', ['unapproved']) }))
  if (query.conditions.length === 0 && !unapproved) return null
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
        {query.conditions.map((condition) => {
          const found = fieldAt(name, condition.path, role)
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
        {query.conditions.length > 1 ? (
          <Button variant="subtle" size="compact-xs" onClick={() => change(() => ({ conditions: [] }))}>
            {t(($) => $.actions.clearAll)}
          </Button>
        ) : null}
      </FilterChips>
    </div>
  )
}
