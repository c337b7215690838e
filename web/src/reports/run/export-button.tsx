// Exports all rows of the report to a file, with the shown columns and order.
import { Button, Loader, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useReportWords } from '../../i18n/labels.ts'
import { useBusy } from '../../ui/use-busy.ts'
import classes from '../report.module.css'

interface ExportButtonProps {
  /** The path of the report below /api. */
  path: string
  /** Called on click, to export the current state of the screen. */
  request: () => object
}

export function ExportButton({ path, request }: ExportButtonProps) {
  const words = useReportWords()
  const { isBusy, run } = useBusy()
  const take = (format: 'xlsx' | 'csv') =>
    run(async () => {
      const body = { ...request(), format }
      // The first report is shown without it.
      const { download } = await import('../../data/download.ts')
      await download({ path: `${path}/export`, body })
    })
  return (
    <Menu position="bottom-end" width="max-content">
      <Menu.Target>
        <Button
          variant="default"
          classNames={{ root: classes.action ?? '', section: classes.actionIcon ?? '' }}
          leftSection={isBusy ? <Loader size={14} aria-hidden /> : <IconDownload size={15} aria-hidden />}
          aria-label={isBusy ? words.export.busy : words.export.title}
          aria-busy={isBusy}
        >
          <span className={classes.actionLabel}>{words.export.title}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.export.hint}</Menu.Label>
        <Menu.Item disabled={isBusy} onClick={() => void take('xlsx')}>
          {words.export.xlsx}
        </Menu.Item>
        <Menu.Item disabled={isBusy} onClick={() => void take('csv')}>
          {words.export.csv}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
