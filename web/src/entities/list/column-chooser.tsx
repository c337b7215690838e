// Chooses, orders and pins the columns of a list; the table follows at once.
import { Popover } from '@mantine/core'
import { IconColumns3, IconPin, IconPinFilled } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { fieldDefinition } from '@tributary/contract/words/definition'
import { useTranslation } from 'react-i18next'
import { useDefinitions } from '../../i18n/definitions.ts'
import { useLabels } from '../../i18n/labels.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { ColumnManager } from '../../ui/column-manager.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { availableColumns, type Column, movePath, togglePath } from '../field/columns.ts'

interface ColumnLinesProps {
  name: EntityName
  shown: readonly Column[]
  onChange: (paths: readonly string[]) => void
  onReset: () => void
  pinned: readonly string[]
  onPin: (path: string) => void
}

/** A popover that shows, hides, orders and pins columns. */
export function ColumnChooser({ isSmall, ...lines }: ColumnLinesProps & { isSmall: boolean }) {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <BarButton label={t(($) => $.actions.columns)} icon={IconColumns3} isSmall={isSmall} />
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <ColumnLines {...lines} />
      </Popover.Dropdown>
    </Popover>
  )
}

function ColumnLines({ name, shown, onChange, onReset, pinned, onPin }: ColumnLinesProps) {
  const labels = useLabels()
  const definitions = useDefinitions()
  const paths = shown.map(({ path }) => path)
  const hidden = availableColumns(name).filter(({ path }) => !paths.includes(path))
  return (
    <ColumnManager
      columns={[...shown, ...hidden].map(({ path }) => {
        const isShown = paths.includes(path)
        const label = labels.field(name, path)
        return {
          key: path,
          label,
          definition: definitions && fieldDefinition(definitions, name, path),
          isShown,
          isLast: isShown && paths.length === 1,
          acts: isShown ? (
            <PinButton column={label} isPinned={pinned.includes(path)} onClick={() => onPin(path)} />
          ) : null,
        }
      })}
      movable={paths.length}
      onToggle={(path) => onChange(togglePath(paths, path))}
      onMove={(path, to) => onChange(movePath(paths, path, to))}
      onReset={onReset}
    />
  )
}

function PinButton({ column, isPinned, onClick }: { column: string; isPinned: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <IconButton
      label={isPinned ? t(($) => $.lists.unpin, { column }) : t(($) => $.lists.pin, { column })}
      icon={isPinned ? IconPinFilled : IconPin}
      iconSize={13}
      size={22}
      aria-pressed={isPinned}
      onClick={onClick}
    />
  )
}
