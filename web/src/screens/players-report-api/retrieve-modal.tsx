// Requests a day from the players API and shows the outcome. The work continues if the window is closed.
import { Button, Group, Loader, Modal } from '@mantine/core'
import { IconCloudDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { addDays, today } from '@tributary/contract/period'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { useProfile } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { DayInput } from '../../ui/date/date-input.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { startInFirstField } from '../../ui/modal-actions.tsx'
import { StateBadge, type Tone } from '../../ui/state-badge.tsx'
import classes from './retrieve-modal.module.css'

function RetrieveButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconCloudDownload size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t(($) => $.players.retrieve.open)}
      </Button>
      <RetrieveModal isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

/** The list of requested days of the players API, with the button that requests one. */
export const PLAYERS_REPORT_API_LIST: ListSlots = { tools: RetrieveButton }

const loadAdvertisers = lookupLoader('advertiser')
const POLL_MS = 1500
const TONES: Readonly<Record<string, Tone>> = { success: 'positive', warnings: 'warning', failed: 'negative' }
const isOver = ({ status }: Row): boolean => status !== 'waiting' && status !== 'processing'

export function RetrieveModal({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened={isOpen} onClose={onClose} size={520} title={t(($) => $.players.retrieve.title)}>
      <Retrieval onClose={onClose} />
    </Modal>
  )
}

function Retrieval({ onClose }: { onClose: () => void }) {
  const [requested, setRequested] = useState<{ day: string; ids: readonly number[] } | null>(null)
  return requested === null ? (
    <Question onRequested={setRequested} />
  ) : (
    <Outcome requested={requested} onClose={onClose} />
  )
}

function Question({ onRequested }: { onRequested: (requested: { day: string; ids: readonly number[] }) => void }) {
  const { t } = useTranslation()
  const zone = useProfile().business_time_zone
  const [day, setDay] = useState<string | null>(() => addDays(today(zone), -1))
  const [advertiser, setAdvertiser] = useState<LookupOption | null>(null)
  const send = useMutation({
    mutationFn: (date: string) =>
      http.post<{ items: Row[] }>('player/synchronize', undefined, {
        query: [['date', date], ...(advertiser === null ? [] : [['advertiser', String(advertiser.id)] as const])],
      }),
    onSuccess: ({ items }, date) => {
      // The list behind the window shows what is asked, also if the window is closed before the answer.
      void queryClient.invalidateQueries({ queryKey: keys.entity('players_report_api') })
      onRequested({ day: date, ids: items.map(({ id }) => Number(id)) })
    },
  })
  return (
    <div ref={startInFirstField} className={classes.question}>
      <p className={classes.text}>{t(($) => $.players.retrieve.text)}</p>
      <DayInput label={t(($) => $.players.retrieve.day)} value={day} onChange={setDay} required />
      <LookupSelect
        label={t(($) => $.players.retrieve.advertiser)}
        placeholder={t(($) => $.players.retrieve.allAdvertisers)}
        load={loadAdvertisers}
        value={advertiser}
        onChange={setAdvertiser}
      />
      {send.isError ? (
        <p role="alert" className={classes.error}>
          {send.error.message}
        </p>
      ) : null}
      <Group justify="flex-end">
        <Button disabled={day === null} loading={send.isPending} onClick={() => day !== null && send.mutate(day)}>
          {t(($) => $.players.retrieve.send)}
        </Button>
      </Group>
    </div>
  )
}

function Outcome({
  requested: { day, ids },
  onClose,
}: {
  requested: { day: string; ids: readonly number[] }
  onClose: () => void
}) {
  const { t } = useTranslation()
  const labels = useLabels()
  const rows = useQuery({
    queryKey: [...keys.entity('players_report_api'), 'requested', ids],
    queryFn: async ({ signal }) => {
      const query = [['limit', '500'] as const, ...ids.map((id) => ['filter[id][in][]', String(id)] as const)]
      return (await http.get<{ items: Row[] }>('players_report_api', { query, signal })).items
    },
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => (state.data?.every(isOver) ? false : POLL_MS),
  })
  const items = rows.data ?? []
  const waiting = ids.length - items.filter(isOver).length
  const failed = items.filter(({ status }) => status === 'failed')
  const isDone = waiting === 0
  // Reloads the lists that the retrieved data changes.
  useEffect(() => {
    if (isDone)
      for (const name of ['player', 'player_report', 'players_report_api', 'report'] as const)
        void queryClient.invalidateQueries({ queryKey: keys.entity(name) })
  }, [isDone])
  const words =
    ids.length === 0
      ? t(($) => $.players.retrieve.nobody)
      : !isDone
        ? t(($) => $.players.retrieve.running, { count: waiting })
        : failed.length > 0
          ? t(($) => $.players.retrieve.failure)
          : t(($) => $.players.retrieve.success)
  return (
    <div className={classes.question}>
      <p
        role="status"
        className={classes.outcome}
        data-tone={isDone ? (failed.length > 0 ? 'negative' : 'positive') : undefined}
      >
        {isDone ? null : <Loader size="xs" />}
        {words}
      </p>
      {isDone && failed.length === 0 && ids.length > 0 ? (
        <p className={classes.text}>{t(($) => $.players.retrieve.successText, { day: formatDay(day) ?? day })}</p>
      ) : null}
      <ul className={classes.rows}>
        {items.map((row) => (
          <li key={row.id} className={classes.row}>
            <span>{titleOf(row.advertiser)}</span>
            <StateBadge tone={TONES[String(row.status)] ?? 'neutral'}>
              {labels.choice('players_report_api', 'status', String(row.status))}
            </StateBadge>
            {listOf(row.warnings).map((text) => (
              <span key={text} className={classes.warning}>
                {text}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t(($) => $.actions.close)}
        </Button>
      </Group>
    </div>
  )
}

const titleOf = (reference: unknown): string =>
  typeof reference === 'object' && reference !== null && 'title' in reference ? String(reference.title) : ''
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
