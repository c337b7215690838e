// Enters a month's total that the server spreads over days: of the partner, or of the active row's stream and country.

import { Button, Modal, NativeSelect, Radio, TextInput } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { SpendTable, SpendTableRow } from '@tributary/contract/calls/spend-table'
import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { fieldErrors } from '../../lib/form-errors.ts'
import { readAmount } from '../../lib/read-amounts.ts'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import classes from './spend-panels.module.css'
import { useSpendRefresh } from './use-spend-table.ts'
import { withWarnings } from './with-warnings.ts'

type SpreadAnswer = AnswerOf<'partner_spend_update_by_partner'>

interface SpreadButtonProps {
  table: SpendTable
  /** The active row. */
  row: SpendTableRow | undefined
  disabled: boolean
}

export function SpreadButton({ table, row, disabled }: SpreadButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        disabled={disabled}
        leftSection={<IconArrowsSplit2 size={15} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t(($) => $.spends.spread.open)}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t(($) => $.spends.spread.title, { month: formatMonth(`${table.month}-01`, currentLanguage()) })}
      >
        <SpreadForm table={table} row={row} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function SpreadForm({ table, row, onClose }: Pick<SpreadButtonProps, 'table' | 'row'> & { onClose: () => void }) {
  const { t } = useTranslation()
  const refresh = useSpendRefresh()
  const [of, setOf] = useState<'row' | 'partner'>(row === undefined ? 'partner' : 'row')
  const [text, setText] = useState('')
  const [currency, setCurrency] = useState<string | null>(null)
  const ownCurrency = row?.cells.find(({ base }) => base !== null)?.currency ?? row?.cells[0]?.currency
  const shown = currency ?? (of === 'row' ? ownCurrency : undefined) ?? table.currency
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    const read = readAmount(text)
    if ('problem' in read || read.base === null) {
      setProblem(t(($) => $.spends.grid.problems['problem' in read ? read.problem : 'not_amount'], { text }))
      return
    }
    setBusy(true)
    try {
      const id = table.currencies.find(({ value }) => value === shown)?.id
      const total = { month: table.month, base: read.base, ...(id !== undefined && { currency: id }) }
      const { saved, warnings } =
        of === 'row' && row !== undefined
          ? await http.put<SpreadAnswer>('partner_spend/update_spend_by_stream_and_country', {
              stream: row.stream.id,
              country: row.country.id,
              ...total,
            })
          : await http.put<SpreadAnswer>('partner_spend/update_spend_by_partner', {
              partner: table.partner.id,
              ...total,
            })
      notifySuccess(
        withWarnings(
          t(($) => $.spends.spread.done, { count: saved }),
          warnings,
        ),
      )
      onClose()
      await refresh()
    } catch (error) {
      const { base, month } = fieldErrors(error)
      setProblem(base ?? month)
      if (base === undefined && month === undefined) notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={onSubmit(send)}>
      <p className={classes.hint}>{t(($) => $.spends.spread.text)}</p>
      <Radio.Group
        label={t(($) => $.spends.spread.of)}
        value={of}
        onChange={(value) => setOf(value === 'row' ? 'row' : 'partner')}
        mb="sm"
      >
        {row === undefined ? null : <Radio mt={6} value="row" label={`${row.stream.title} · ${row.country.title}`} />}
        <Radio mt={6} value="partner" label={table.partner.title} />
      </Radio.Group>
      <TextInput
        data-autofocus
        label={t(($) => $.spends.spread.total, { currency: shown })}
        inputMode="decimal"
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <NativeSelect
        mt="sm"
        label={t(($) => $.spends.spread.currency)}
        data={table.currencies.map(({ value }) => value)}
        value={shown}
        onChange={(event) => setCurrency(event.currentTarget.value)}
      />
      <ModalActions
        submit={t(($) => $.spends.spread.send)}
        onCancel={onClose}
        isBusy={isBusy}
        isReady={text.trim() !== ''}
      />
    </form>
  )
}
