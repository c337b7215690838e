// A button that shows the selected option and opens a menu of options in sections.
import { Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from '../report.module.css'

interface Option<N extends string> {
  readonly name: N
  readonly label: string
  readonly isUsed?: boolean
}

export interface Section<N extends string> {
  readonly title: string | null
  readonly options: readonly Option<N>[]
}

interface ChoiceMenuProps<N extends string> {
  label: string
  value: N | null
  sections: readonly Section<N>[]
  onChoose: (name: N) => void
  /** Shows the label instead of the value, because the default is selected. */
  isPlain?: boolean
  /** Replaces the text on the button. */
  face?: ReactNode
  /** The key that opens the menu; the screen handles it. */
  shortcut?: string | undefined
  /** Shows only the value on the button. */
  isShort?: boolean
}

export function ChoiceMenu<N extends string>(props: ChoiceMenuProps<N>) {
  const { label, value, sections, onChoose, isPlain = false, isShort = false, face, shortcut } = props
  const chosen = sections.flatMap(({ options }) => options).find(({ name }) => name === value)
  return (
    <Menu position="bottom-start" width="max-content">
      <Menu.Target>
        <button
          type="button"
          data-report-key={shortcut}
          className={isPlain ? classes.picker : `${classes.picker} ${classes.chosen}`}
          // Label and value together already name the button.
          aria-label={face ? label : isShort ? `${label}: ${chosen?.label}` : undefined}
        >
          {face ?? (
            <>
              {isShort ? null : <span className={classes.pickerLabel}>{label}</span>}
              {chosen ? (
                <span className={classes.pickerValue} title={chosen.label}>
                  {chosen.label}
                </span>
              ) : null}
            </>
          )}
          {face ? null : <IconChevronDown size={13} className={classes.pickerMark} aria-hidden />}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices ?? ''}>
        <div className={sections.length > 2 ? classes.manySections : undefined}>
          {sections.map((section) => (
            <div key={section.title ?? ''} className={classes.section}>
              {section.title === null ? null : <Menu.Label>{section.title}</Menu.Label>}
              {section.options.map((option) => (
                <Menu.Item
                  key={option.name}
                  className={option.isUsed ? classes.used : undefined}
                  rightSection={option.name === value ? <IconCheck size={14} aria-hidden /> : null}
                  onClick={() => onChoose(option.name)}
                >
                  {option.label}
                </Menu.Item>
              ))}
            </div>
          ))}
        </div>
      </Menu.Dropdown>
    </Menu>
  )
}
