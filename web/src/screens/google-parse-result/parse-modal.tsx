// Parses the spend sheet of a partner by hand: choose it, look at what would be read, start it, and follow it. It may be closed; the work goes on.
import { Progress as Bar, Button, Checkbox, Group, Modal, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { SheetPreview } from '@tributary/contract/calls/spend-sheet'
import { formatMonth, today } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'
import { type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { useProfile } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { failureText, fieldErrors } from '../../lib/form-errors.ts'
import { lastMonths } from '../../lib/last-months.ts'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { startInFirstField } from '../../ui/modal-actions.tsx'
import classes from './parse-modal.module.css'
import { ParseOutcome } from './parse-outcome.tsx'
import { SheetPreviewPanel } from './sheet-preview.tsx'

const PARSE_JOB = 'sheet_parse'

export function ParseModal({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened={isOpen} onClose={onClose} size={680} title={t(($) => $.sheets.parse.title)}>
      <ParseForm />
    </Modal>
  )
}

const loadPartners = lookupLoader('partner')

function useMemberships(partner: LookupOption | null) {
  const query = useQuery({
    queryKey: [...keys.entity('partner_partner_group'), 'of', partner?.id],
    queryFn: async ({ signal }) => {
      const params = [['filter[partner]', String(partner?.id)] as const, ['limit', '100'] as const]
      return (await http.get<{ items: Row[] }>('partner_partner_group', { query: params, signal })).items
    },
    enabled: partner !== null,
  })
  return partner === null ? undefined : query.data
}

const titleOf = (row: Row): string => {
  const group = row.partner_group
  return typeof group === 'object' && group !== null && 'title' in group ? String(group.title) : String(row.id)
}

function ParseForm() {
  const { t } = useTranslation()
  const zone = useProfile().business_time_zone
  const [partner, setPartner] = useState<LookupOption | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [month, setMonth] = useState<string | null>(() => today(zone).slice(0, 7))
  const [removals, setRemovals] = useState(false)
  const memberships = useMemberships(partner)
  // A membership without a sheet of its own is read by the partner's.
  const first = memberships?.find((row) => Boolean(row.spend_spreadsheet_id)) ?? memberships?.[0]
  const membership = chosen ?? (first === undefined ? null : String(first.id))
  const path = `partner_partner_group/${membership}`
  const preview = useMutation({
    mutationFn: () => http.post<SheetPreview>(`${path}/preview_sheet`, { month }),
  })
  const parse = useMutation({
    // What the sheet said before is not what was taken.
    onMutate: () => preview.reset(),
    mutationFn: () => http.post<{ job: string }>(`${path}/parse_sheet`, { month, allow_removals: removals }),
  })
  /** What was shown of another sheet or month. */
  const forget = () => {
    preview.reset()
    parse.reset()
  }
  const look = () => {
    // A running parse is still followed; the failure of an earlier one is over.
    if (parse.isError) parse.reset()
    preview.mutate()
  }
  const steps = useSteps()
  const isReady = membership !== null && month !== null
  const error = preview.error ?? parse.error
  return (
    <div ref={startInFirstField} className={classes.form}>
      <p className={classes.text}>{t(($) => $.sheets.parse.text)}</p>
      <LookupSelect
        label={t(($) => $.sheets.parse.partner)}
        load={loadPartners}
        value={partner}
        onChange={(option) => {
          setPartner(option)
          setChosen(null)
          forget()
        }}
      />
      {memberships?.length === 0 ? <p className={classes.error}>{t(($) => $.sheets.parse.noGroup)}</p> : null}
      {memberships !== undefined && memberships.length > 1 ? (
        <Select
          label={t(($) => $.sheets.parse.group)}
          data={memberships.map((row) => ({ value: String(row.id), label: titleOf(row) }))}
          value={membership}
          onChange={(group) => {
            setChosen(group)
            forget()
          }}
        />
      ) : null}
      <Select
        label={t(($) => $.sheets.parse.month)}
        data={lastMonths(today(zone)).map((value) => ({ value, label: formatMonth(value, currentLanguage()) }))}
        allowDeselect={false}
        value={month}
        onChange={(chosenMonth) => {
          setMonth(chosenMonth)
          forget()
        }}
      />
      <Checkbox
        label={t(($) => $.sheets.parse.removals)}
        checked={removals}
        onChange={(event) => setRemovals(event.currentTarget.checked)}
      />
      {error === null ? null : (
        <p role="alert" className={classes.error}>
          {fieldErrors(error).spend_spreadsheet_id === undefined ? failureText(error) : t(($) => $.sheets.parse.noFile)}
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" disabled={!isReady} loading={preview.isPending} onClick={look}>
          {t(($) => $.sheets.parse.preview)}
        </Button>
        <Button disabled={!isReady} loading={parse.isPending} onClick={() => parse.mutate()}>
          {t(($) => $.sheets.parse.send)}
        </Button>
      </Group>
      {parse.data === undefined ? null : (
        <Progress
          step={steps.get(parse.data.job) ?? { state: 'waiting' }}
          partner={Number(partner?.id)}
          month={month ?? ''}
        />
      )}
      {preview.data === undefined || membership === null ? null : (
        <SheetPreviewPanel key={`${membership} ${month}`} path={path} month={month} first={preview.data} />
      )}
    </div>
  )
}

type Step = { readonly state: string; readonly done?: number; readonly total?: number; readonly message?: string }

/** The last event of each parse by its id. Listening starts with the form, because a parse may end before the answer to its start arrives. */
function useSteps(): ReadonlyMap<string, Step> {
  const [steps, setSteps] = useState<ReadonlyMap<string, Step>>(() => new Map())
  useLive('job', ({ job, id, ...step }) => {
    if (job !== PARSE_JOB) return
    setSteps((before) => new Map(before).set(id, step))
    if (step.state !== 'done' && step.state !== 'failed') return
    for (const entity of ['google_parse_result', 'partner_spend'] as const)
      void queryClient.invalidateQueries({ queryKey: keys.entity(entity) })
  })
  return steps
}

function Progress({ step, partner, month }: { step: Step; partner: number; month: string }) {
  const { t } = useTranslation()
  const { state, done = 0, total = 0, message = '' } = step
  const words =
    state === 'waiting'
      ? t(($) => $.sheets.parse.waiting)
      : state === 'running'
        ? t(($) => $.sheets.parse.running, { done, total })
        : state === 'done'
          ? t(($) => $.sheets.parse.done)
          : t(($) => $.sheets.parse.failed, { reason: message })
  return (
    <>
      <p role="status" className={state === 'failed' ? classes.error : classes.text}>
        {words}
      </p>
      {state === 'running' && total > 0 ? <Bar value={(100 * done) / total} aria-label={words} /> : null}
      {state === 'done' ? <ParseOutcome partner={partner} month={month} /> : null}
    </>
  )
}
