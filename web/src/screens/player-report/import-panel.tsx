// The import panel of player reports: options for registration dates, the upload, and the state of this import and of earlier ones.
import { Button, Drawer, Radio } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IMPORT_RULE } from '@tributary/contract/entities/report'
import { MEGABYTE } from '@tributary/contract/limits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { type LookupOption, lookupLoader } from '../../data/lookup.ts'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import type { Search } from '../../entities/list/list-state.ts'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { FileUpload } from '../../ui/upload/file-upload.tsx'
import classes from './import-panel.module.css'
import { ReportHistory, useReports } from './report-history.tsx'

/** The address says whether the panel is open, and at which report ('?import=12'), so that an alert can lead to it. */
function ImportButton() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const chosen = useSearch({ strict: false, select: (search: Search) => search.import })
  const setOpen = (opens: boolean) =>
    void navigate({
      to: '.',
      search: ({ import: _import, ...search }: Search) => ({ ...search, ...(opens && { import: 0 }) }),
    })
  return (
    <>
      <Button leftSection={<IconFileImport size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.players.imports.open)}
      </Button>
      <ImportPanel isOpen={chosen !== undefined} chosen={Number(chosen)} onClose={() => setOpen(false)} />
    </>
  )
}

/** The list of player report entries, with the button that opens the import. */
export const PLAYER_REPORT_LIST: ListSlots = { tools: ImportButton }

const loadAdvertisers = lookupLoader('advertiser')

interface ImportPanelProps {
  isOpen: boolean
  /** Id of the report that is marked; 0 if none is. */
  chosen: number
  onClose: () => void
}

export function ImportPanel({ isOpen, chosen, onClose }: ImportPanelProps) {
  const { t } = useTranslation()
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size={620} title={t(($) => $.players.imports.title)}>
      <Import chosen={chosen} />
    </Drawer>
  )
}

function Import({ chosen }: Pick<ImportPanelProps, 'chosen'>) {
  const { t } = useTranslation()
  const [updates, setUpdates] = useState('0')
  const [advertiser, setAdvertiser] = useState<LookupOption | null>(null)
  // Counts accepted files; a new count resets the upload area.
  const [sent, setSent] = useState(0)
  const reports = useReports()
  const hint = t(($) => $.players.imports.hint, {
    types: IMPORT_RULE.extensions.map((extension) => `.${extension}`).join(', '),
    size: IMPORT_RULE.maxBytes / MEGABYTE,
  })
  return (
    <>
      <div className={classes.options}>
        <Radio.Group label={t(($) => $.players.imports.registrations)} value={updates} onChange={setUpdates}>
          <div className={classes.choices}>
            <Radio value="0" label={t(($) => $.players.imports.keep)} />
            <Radio value="1" label={t(($) => $.players.imports.update)} />
          </div>
        </Radio.Group>
        <LookupSelect
          label={t(($) => $.players.imports.advertiser)}
          description={t(($) => $.players.imports.advertiserHint)}
          load={loadAdvertisers}
          value={advertiser}
          onChange={setAdvertiser}
        />
      </div>
      <FileUpload
        key={sent}
        label={t(($) => $.players.imports.label)}
        description={hint}
        rule={IMPORT_RULE}
        send={(file, options) =>
          http.upload<Row>('player/import', file, {
            ...options,
            query: [
              ...(updates === '1' ? [['update_reg_date', '1'] as const] : []),
              ...(advertiser === null ? [] : [['advertiser', String(advertiser.id)] as const]),
            ],
          })
        }
        onChange={(taken) => {
          if (taken.length === 0) return
          setSent(sent + 1)
          reports.follow(taken.map((row) => Number(row.id)))
        }}
      />
      <ReportHistory reports={reports} chosen={chosen} />
    </>
  )
}
