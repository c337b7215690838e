// The log of parsed spend sheets: a row opens with its warnings, each with a link to its cell; the button parses a sheet by hand.
import { Anchor, Button } from '@mantine/core'
import { IconTableImport } from '@tabler/icons-react'
import { SPEND_EDIT } from '@tributary/contract/entities/partner-spend'
import { isClaimant } from '@tributary/contract/spend-claim'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holderOf, useCan, useProfile } from '../../data/profile.ts'
import { RowView } from '../../entities/field/row-view.tsx'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { MomentText } from '../../ui/value.tsx'
import classes from './parse-modal.module.css'
import { ParseModal } from './parse-modal.tsx'
import { IgnoredColumns, ignoredOf, type SheetWarning, SheetWarnings } from './sheet-warnings.tsx'

export const GOOGLE_PARSE_RESULT_LIST: ListSlots = { tools: ParseButton, view: ParseLog }

function ParseButton() {
  const { t } = useTranslation()
  const can = useCan()
  const profile = useProfile()
  const [isOpen, setOpen] = useState(false)
  if (!can(SPEND_EDIT) || isClaimant(holderOf(profile))) return null
  return (
    <>
      <Button leftSection={<IconTableImport size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.sheets.parse.open)}
      </Button>
      <ParseModal isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

function ParseLog({ row }: { row: Row }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const url = typeof row.file_url === 'string' ? row.file_url : null
  // Declared as JSON; the server writes warnings of the contract.
  const warnings = (Array.isArray(row.warnings) ? row.warnings : []) as SheetWarning[]
  const { warnings: _warnings, ignored_columns: _ignored, file_url: _url, ...fields } = row
  return (
    <>
      <RowView name="google_parse_result" row={fields} />
      <p className={classes.text}>
        {t(($) => $.engine.zoned, { label: labels.field('google_parse_result', 'parsed_at'), zone: 'UTC' })}:{' '}
        <MomentText value={String(row.parsed_at)} zone="UTC" />
      </p>
      {url === null ? null : (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
          {t(($) => $.sheets.file)}
        </Anchor>
      )}
      <h3 className={classes.heading}>{t(($) => $.sheets.warnings)}</h3>
      <SheetWarnings warnings={warnings} url={url} />
      <IgnoredColumns columns={ignoredOf(row)} />
    </>
  )
}
