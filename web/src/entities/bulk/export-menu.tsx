// Exports a list: all rows of the filter or the selected ones, with the shown columns.
import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type ListQuery, writeListQuery } from '@tributary/contract/list-query'
import type { Selection } from '@tributary/contract/selection'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Download, type DownloadRequest, download } from '../../data/download.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import type { Column } from '../field/columns.ts'
import { openNote } from './progress-note.tsx'

/**
 * Downloads a file and reports success or failure; resolves in either case. A note in the corner stays on every screen until the file is
 * complete, and can cancel the download.
 */
async function downloadFile(request: DownloadRequest, title: string): Promise<void> {
  const leaving = new AbortController()
  const note = openNote(title, () => leaving.abort())
  try {
    const { name, rows } = await download(request, leaving.signal, note.show)
    notifySuccess(doneText(rows), { title: name })
  } catch (error) {
    if (!leaving.signal.aborted) notifyFailure(error, { title, persistent: true })
  } finally {
    note.close()
  }
}

const doneText = (rows: Download['rows']): string =>
  rows === null
    ? i18next.t(($) => $.lists.exported)
    : i18next.t(($) => $.lists.exportedRows, { count: rows, rows: formatCount(rows) ?? '' })

interface ExportMenuProps {
  name: EntityName
  columns: readonly Column[]
  query: ListQuery
  /** Exports only these rows. */
  selection?: Selection
  isSmall?: boolean
}

const FORMATS = ['xlsx', 'csv'] as const
type Format = (typeof FORMATS)[number]

/** `order[title]=ASC`, as in an address. */
const writeOrder = ({ order }: ListQuery): string =>
  new URLSearchParams(order.map(({ path, desc }) => [`order[${path}]`, desc ? 'DESC' : 'ASC'])).toString()

export function ExportMenu({ name, columns, query, selection, isSmall = false }: ExportMenuProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const start = (format: Format) => {
    const order = writeOrder(query)
    const whole = new URLSearchParams(writeListQuery(query).filter(([key]) => key !== 'page' && key !== 'limit'))
    const rows: Selection = selection ?? { ids: [], exclusive: true, filter: withoutOrder(whole) }
    const body = { ...rows, format, order, columns: columns.map(({ path }) => path) }
    void downloadFile(
      { path: `${name}/export`, body },
      t(($) => $.lists.exporting, { title: labels.title(name) }),
    )
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <BarButton label={t(($) => $.actions.export)} icon={IconDownload} isSmall={isSmall} />
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => start(format)}>
            {t(($) => $.lists.formats[format])}
          </Menu.Item>
        ))}
        <Menu.Label>
          {selection === undefined ? t(($) => $.lists.exportAll) : t(($) => $.lists.exportChosen)}
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}

function withoutOrder(params: URLSearchParams): string {
  return new URLSearchParams([...params].filter(([key]) => !key.startsWith('order['))).toString()
}
