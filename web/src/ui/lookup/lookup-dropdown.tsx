// The list under a lazy select: options with a tick on the chosen ones, more on scroll, and what to say when there is none.
import { Combobox, Loader } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { UIEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type LookupOption, type LookupState, RETRY } from './lookup-options.ts'
import classes from './lookup-select.module.css'

interface LookupDropdownProps {
  state: LookupState
  labelOf: (option: LookupOption) => string
  isChosen: (option: LookupOption) => boolean
}

const NEAR_END_PX = 48

export function LookupDropdown({ state, labelOf, isChosen }: LookupDropdownProps) {
  const { t } = useTranslation()
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLDivElement>) => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX) state.loadMore()
  }
  return (
    <Combobox.Dropdown>
      <Combobox.Options className={classes.options} onScroll={onScroll}>
        {state.options.map((option) => (
          <Combobox.Option
            key={option.id}
            value={String(option.id)}
            active={isChosen(option)}
            className={classes.option}
          >
            <span className={classes.text}>{labelOf(option)}</span>
            {isChosen(option) ? <IconCheck size={14} aria-hidden /> : null}
          </Combobox.Option>
        ))}
        {state.isLoading ? (
          <div className={classes.note}>
            <Loader size={14} /> {state.options.length === 0 ? t(($) => $.select.loading) : t(($) => $.select.more)}
          </div>
        ) : null}
        {state.hasFailed ? (
          // An option, so that the keyboard reaches it like the others.
          <Combobox.Option value={RETRY} className={`${classes.option} ${classes.failed}`}>
            <span className={classes.text}>{t(($) => $.select.failed)}</span>
            <span className={classes.again}>{t(($) => $.errors.retry)}</span>
          </Combobox.Option>
        ) : null}
        {!state.isLoading && !state.hasFailed && state.options.length === 0 ? (
          <Combobox.Empty>{t(($) => $.select.nothing)}</Combobox.Empty>
        ) : null}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
