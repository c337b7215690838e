// Selects any number of rows, which are loaded when needed; selected rows are pills in the input.
import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  LookupDropdown,
  type LookupOption,
  plainOptionLabel,
  RETRY,
  useFirstOption,
  useLookupOptions,
} from './lookup-options.tsx'
import classes from './lookup-select.module.css'
import type { LookupFieldProps } from './lookup-select.tsx'

interface LookupMultiSelectProps extends LookupFieldProps {
  values: readonly LookupOption[]
  onChange: (values: LookupOption[]) => void
}

export function LookupMultiSelect({
  values,
  onChange,
  load,
  labelOf = plainOptionLabel,
  ariaLabel,
  placeholder,
  onBlur,
  required = false,
  disabled = false,
  ...field
}: LookupMultiSelectProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const state = useLookupOptions(load, query, combobox.dropdownOpened)
  const onEnter = useFirstOption(combobox, state, query)
  const isChosen = (option: LookupOption) => values.some(({ id }) => id === option.id)
  const drop = (option: LookupOption) => onChange(values.filter(({ id }) => id !== option.id))
  const toggle = (id: string) => {
    if (id === RETRY) return state.retry()
    const option = state.options.find((known) => String(known.id) === id)
    if (!option) return
    setQuery('')
    if (isChosen(option)) drop(option)
    else onChange([...values, option])
  }
  const onKey = (event: KeyboardEvent) => {
    onEnter(event)
    const last = values.at(-1)
    if (event.key !== 'Backspace' || query !== '' || !last) return
    event.preventDefault()
    drop(last)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={toggle}>
      <Combobox.DropdownTarget>
        <PillsInput
          {...field}
          required={required}
          disabled={disabled}
          size="sm"
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group className={classes.pills}>
            {values.map((option) => (
              <Pill
                key={option.id}
                withRemoveButton={!disabled}
                removeButtonProps={{ 'aria-label': `${t(($) => $.actions.remove)}: ${labelOf(option)}` }}
                onRemove={() => drop(option)}
              >
                {labelOf(option)}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                aria-label={ariaLabel}
                value={query}
                disabled={disabled}
                placeholder={values.length === 0 ? (placeholder ?? t(($) => $.select.any)) : ''}
                onBlur={() => {
                  combobox.closeDropdown()
                  setQuery('')
                  onBlur?.()
                }}
                onChange={(event) => {
                  setQuery(event.currentTarget.value)
                  combobox.openDropdown()
                  combobox.resetSelectedOption()
                }}
                onKeyDown={onKey}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <LookupDropdown state={state} labelOf={labelOf} isChosen={isChosen} />
    </Combobox>
  )
}
