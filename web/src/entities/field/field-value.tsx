// How a value of each kind of field is shown, in cells, panels and comparisons.

import type { EntityName } from '@tributary/contract/entities/registry'
import { type Field, unitOf } from '@tributary/contract/field'
import { formatMonth, isMonth } from '@tributary/contract/period'
import type { ReactNode } from 'react'
import { type Labels, roleTitle } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { isBeginning } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { Count, Dash, DayText, MomentText, Money } from '../../ui/value.tsx'
import classes from './field-value.module.css'
import { labelOption, plainText, splitAmount } from './row-text.ts'

interface FieldValueProps {
  labels: Labels
  entity: EntityName
  /** The field's name in `entity`. */
  name: string
  field: Field
  value: unknown
  /** The row that has the field: its currency, and the choices on which a unit depends. */
  row?: Readonly<Record<string, unknown>> | undefined
  zone?: string | undefined
}

export const isReference = (value: unknown): value is { id: number; title: string } =>
  typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string'

/** True for choices of which at least one has a tone: these are states and get badges. */
export const isState = (options: readonly string[]) => options.some((option) => toneOf(option) !== 'neutral')

/** The code of a currency: 'EUR'. */
const codeOf = (currency: { title: string; value?: unknown }): string =>
  typeof currency.value === 'string' ? currency.value : currency.title

/** The currency of a row's amounts; null if the row has none, or its entity no such field. */
export function currencyOf(row: Readonly<Record<string, unknown>> | undefined, field = 'currency'): string | null {
  const currency = row?.[field]
  return isReference(currency) ? codeOf(currency) : null
}

interface DecimalProps {
  value: unknown
  unit: 'money' | 'percent' | undefined
  currency: string | null
}

/** Shows money with two decimals and its currency, other numbers without zeros at the end. */
function DecimalText({ value, unit, currency }: DecimalProps): ReactNode {
  if (unit === 'money') {
    const amount = <Money value={value as string | number | null} />
    if (currency === null) return amount
    return (
      <>
        {amount} <span className={classes.unit}>{currency}</span>
      </>
    )
  }
  const text = plainText(value)
  const digits = (text.split('.')[1] ?? '').replace(/0+$/, '').length
  const shown = formatDecimal(text, digits)
  if (shown === null) return <Dash />
  return unit === 'percent' ? `${shown}\u00a0%` : shown
}

export function ActiveBadge({ isActive, labels }: { isActive: boolean; labels: Labels }) {
  return (
    <StateBadge tone={isActive ? 'positive' : 'neutral'}>{labels.value(isActive ? 'active' : 'inactive')}</StateBadge>
  )
}

/** The text of a value; null for values that need more than text. */
export function textOf(labels: Labels, entity: EntityName, name: string, field: Field, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (isReference(value) && field.kind === 'reference')
    return field.to === 'currency' ? codeOf(value) : labelOption(entityTarget(field.to), value)
  if (isReference(value)) return value.title
  if (Array.isArray(value)) return joined(labels, entity, name, field, value)
  if (entity === 'user_role' && name === 'title') return roleTitle(plainText(value))
  if (field.kind === 'text' && field.format === 'entity') return labels.entity(plainText(value))
  if (field.kind === 'text' && field.format === 'cause') return labels.cause(plainText(value))
  if (field.kind === 'text' && field.format === 'month' && isMonth(value)) return formatMonth(value, currentLanguage())
  if (field.kind === 'choice') return labels.choice(entity, name, plainText(value))
  if (field.kind === 'derived' && field.shows === 'links') return Object.values(value).filter(Boolean).join(' → ')
  return field.kind === 'derived' && field.isNumber === true ? null : plainText(value)
}

// The registry's tests prove that declared targets are entities.
const entityTarget = (to: string) => to as EntityName

function joined(labels: Labels, entity: EntityName, name: string, field: Field, values: readonly unknown[]): string {
  return values
    .map((item) => {
      if (isReference(item)) return item.title
      return field.kind === 'choices' ? labels.choice(entity, name, plainText(item)) : plainText(item)
    })
    .join(', ')
}

export const FieldValue = (props: FieldValueProps): ReactNode => fieldValue(props)

/** The same without a component, for rows that are rendered by the dozen in every frame. */
export function fieldValue({
  labels,
  entity,
  name,
  field,
  value,
  row,
  zone = businessZone(),
}: FieldValueProps): ReactNode {
  if (value === null && field.kind === 'reference' && field.orSystem === true) return labels.value('system')
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <Dash />
  switch (field.kind) {
    case 'boolean':
      return name === 'active' || name === 'enabled' ? (
        <ActiveBadge isActive={value === true} labels={labels} />
      ) : (
        labels.value(value === true ? 'yes' : 'no')
      )
    case 'integer':
      return name === 'id' || name === 'entity_id' || name === 'version' ? (
        plainText(value)
      ) : (
        <Count value={value as number} />
      )
    case 'decimal':
      return <DecimalText value={value} unit={unitOf(field, row)} currency={currencyOf(row, field.currencyField)} />
    case 'date':
      return field.isMonth === true ? (
        formatMonth(plainText(value), currentLanguage())
      ) : name === 'date_from' && isBeginning(plainText(value)) ? (
        labels.value('beginning')
      ) : (
        <DayText value={plainText(value)} />
      )
    case 'datetime':
      return <MomentText value={plainText(value)} zone={zone} seconds={name === 'created_at'} />
    case 'uuid':
      return <span className={classes.code}>{plainText(value)}</span>
    case 'choice': {
      const { unless } = field
      if (unless !== undefined && row?.[unless] !== undefined && row[unless] !== null)
        return <StateBadge tone="warning">{labels.field(entity, unless)}</StateBadge>
      const word = labels.choice(entity, name, plainText(value))
      return isState(field.options) ? <StateBadge tone={toneOf(plainText(value))}>{word}</StateBadge> : word
    }
    case 'text':
    case 'texts':
    case 'choices':
    case 'reference':
    case 'references':
    case 'children':
    case 'json':
      return textOf(labels, entity, name, field, value) ?? <Dash />
    case 'derived':
      if (field.isNumber === true) {
        const { amount, currency } = splitAmount(plainText(value))
        // A rate is no amount, and keeps its decimals.
        if (currency === '') return amount
        return <DecimalText value={amount} unit="money" currency={currency} />
      }
      return textOf(labels, entity, name, field, value) ?? <Dash />
  }
}
