// Selects one of many rows, which are loaded when needed. The input searches while it is open and shows the selection otherwise.
import { CloseButton, Combobox, InputBase, useCombobox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type LoadOptions,
  LookupDropdown,
  type LookupOption,
  plainOptionLabel,
  RETRY,
  useFirstOption,
  useLookupOptions,
} from './lookup-options.tsx'

export interface LookupFieldProps {
  label?: ReactNode
  /** The accessible name where there is no label. */
  ariaLabel?: string | undefined
  load: LoadOptions
  labelOf?: ((option: LookupOption) => string) | undefined
  description?: ReactNode
  placeholder?: string | undefined
  error?: ReactNode
  required?: boolean | undefined
  disabled?: boolean | undefined
  onBlur?: (() => void) | undefined
}

interface LookupSelectProps extends LookupFieldProps {
  value: LookupOption | null
  onChange: (value: LookupOption | null) => void
  clearable?: boolean | undefined
}

export function LookupSelect({
  value,
  onChange,
  load,
  labelOf = plainOptionLabel,
  ariaLabel,
  clearable = true,
  placeholder,
  onBlur,
  required = false,
  disabled = false,
  ...field
}: LookupSelectProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      setQuery('')
      combobox.resetSelectedOption()
    },
  })
  const isOpen = combobox.dropdownOpened
  const state = useLookupOptions(load, query, isOpen)
  const onKeyDown = useFirstOption(combobox, state, isOpen ? query : '')
  const chosen = value === null ? '' : labelOf(value)
  const choose = (id: string) => {
    if (id === RETRY) return state.retry()
    const option = state.options.find((known) => String(known.id) === id)
    if (option) onChange(option)
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target>
        <InputBase
          {...field}
          required={required}
          disabled={disabled}
          size="sm"
          aria-label={ariaLabel}
          value={isOpen ? query : chosen}
          placeholder={isOpen && chosen !== '' ? chosen : (placeholder ?? t(($) => $.select.placeholder))}
          rightSectionPointerEvents="auto"
          rightSection={
            clearable && value !== null && !disabled ? (
              <CloseButton
                size="sm"
                aria-label={t(($) => $.actions.clear)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChange(null)}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
          onClick={() => combobox.openDropdown()}
          // What is typed replaces the selection.
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => {
            combobox.closeDropdown()
            onBlur?.()
          }}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <LookupDropdown state={state} labelOf={labelOf} isChosen={(option) => option.id === value?.id} />
    </Combobox>
  )
}
