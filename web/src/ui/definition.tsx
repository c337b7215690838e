// A mark beside a name; hovered or tapped, it says what the name means.
import { Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './definition.module.css'

/** Not a stop of the Tab key: a form would have twice as many. */
export function Definition({ text }: { text: string | undefined }) {
  const { t } = useTranslation()
  if (text === undefined) return null
  return (
    <Tooltip label={text} maw={320} openDelay={150} events={{ hover: true, focus: true, touch: true }}>
      <button
        type="button"
        tabIndex={-1}
        className={classes.mark}
        aria-label={t(($) => $.frame.definition)}
        aria-description={text}
      >
        <IconInfoCircle size={14} aria-hidden />
      </button>
    </Tooltip>
  )
}
