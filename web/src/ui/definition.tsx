// A mark beside a name; pointed at or tapped, it says what the name means.
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './definition.module.css'

/** Not a stop of the Tab key: a form would have twice as many. Its tooltip is the frame's `DefinitionTooltip`. */
export function Definition({ text }: { text: string | undefined }) {
  const { t } = useTranslation()
  if (text === undefined) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.mark}
      aria-label={t(($) => $.frame.definition)}
      aria-description={text}
      data-definition={text}
    >
      <IconInfoCircle size={14} aria-hidden />
    </button>
  )
}
