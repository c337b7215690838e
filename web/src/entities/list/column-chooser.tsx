// Chooses, orders and pins columns; the table follows at once.
import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconColumns3, IconPin, IconPinFilled } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { availableColumns, type Column, movePath, togglePath } from '../field/columns.ts'
import classes from './column-chooser.module.css'

interface ColumnChooserProps {
  name: EntityName
  shown: readonly Column[]
  onChange: (paths: readonly string[]) => void
  onReset: () => void
  pinned: readonly string[]
  onPin: (path: string) => void
}

/** A popover that shows, hides, orders and pins columns. */
export function ColumnChooser({ onReset, ...lines }: ColumnChooserProps) {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={15} aria-hidden />}>
          {t(($) => $.actions.columns)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <h2 className={classes.title}>{t(($) => $.engine.columnsTitle)}</h2>
        <ColumnLines {...lines} />
        <Button variant="subtle" mt={8} onClick={onReset}>
          {t(($) => $.engine.columnsReset)}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

function ColumnLines({ name, shown, onChange, pinned, onPin }: Omit<ColumnChooserProps, 'onReset'>) {
  const labels = useLabels()
  const { t } = useTranslation()
  const paths = shown.map(({ path }) => path)
  const hidden = availableColumns(name).filter(({ path }) => !paths.includes(path))
  return (
    <ul className={classes.list}>
      {[...shown, ...hidden].map(({ path }) => {
        const column = labels.field(name, path)
        const at = paths.indexOf(path)
        return (
          <li key={path} className={classes.line}>
            <Checkbox
              label={column}
              checked={at !== -1}
              disabled={at !== -1 && paths.length === 1}
              onChange={() => onChange(togglePath(paths, path))}
            />
            {at === -1 ? null : (
              <span className={classes.moves}>
                <ActionIcon
                  size={24}
                  aria-pressed={pinned.includes(path)}
                  aria-label={
                    pinned.includes(path) ? t(($) => $.lists.unpin, { column }) : t(($) => $.lists.pin, { column })
                  }
                  onClick={() => onPin(path)}
                >
                  {pinned.includes(path) ? <IconPinFilled size={14} /> : <IconPin size={14} />}
                </ActionIcon>
                <ActionIcon
                  size={24}
                  disabled={at === 0}
                  aria-label={t(($) => $.engine.columnLeft, { column })}
                  onClick={() => onChange(movePath(paths, path, -1))}
                >
                  <IconArrowLeft size={14} />
                </ActionIcon>
                <ActionIcon
                  size={24}
                  disabled={at === paths.length - 1}
                  aria-label={t(($) => $.engine.columnRight, { column })}
                  onClick={() => onChange(movePath(paths, path, 1))}
                >
                  <IconArrowRight size={14} />
                </ActionIcon>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
