// The reports that came in last, kept fresh while one of them is being read; what becomes of one that was followed is told.
import { useQuery } from '@tanstack/react-query'
import type { ListAnswer } from '@tributary/contract/list-query'
import i18next from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'

export type ReportType = 'all' | 'file' | 'api'

const SHOWN = 20
/** While something is under way; the live stream is quicker, this is for when there is none. */
const LOOK_MS = 2000
const UNFINISHED = new Set<unknown>(['waiting', 'processing'])

export const isUnfinished = (row: Row): boolean => UNFINISHED.has(row.status)

export function useReports() {
  const [type, setType] = useState<ReportType>('all')
  const followed = useRef(new Set<number>())
  const list = useQuery({
    queryKey: keys.list('report', type),
    queryFn: ({ signal }) =>
      http.get<ListAnswer<Row>>('report', {
        query: [['limit', String(SHOWN)], ...(type === 'all' ? [] : [['filter[type]', type] as const])],
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? LOOK_MS : false),
  })
  useLive('job', ({ job }) => {
    if (job === 'player_import') void list.refetch()
  })
  const items = list.data?.items
  // Follows what the server has said of the reports that this person waits for.
  useEffect(() => {
    for (const row of items ?? []) {
      if (!followed.current.has(Number(row.id)) || isUnfinished(row)) continue
      followed.current.delete(Number(row.id))
      tell(row)
      void queryClient.invalidateQueries({ queryKey: keys.entity('player_report') })
      void queryClient.invalidateQueries({ queryKey: keys.entity('player') })
    }
  }, [items])
  return {
    list,
    type,
    setType,
    follow: (ids: readonly number[]) => {
      for (const id of ids) followed.current.add(id)
      void list.refetch()
    },
  }
}

export type Reports = ReturnType<typeof useReports>

function tell({ status, error, file_name }: Row): void {
  const title = String(file_name)
  if (status === 'success')
    notifySuccess(
      i18next.t(($) => $.players.imports.done),
      { title },
    )
  else if (status === 'warnings')
    notifySuccess(
      i18next.t(($) => $.players.imports.doneWarnings),
      { title, persistent: true },
    )
  else if (status === 'failed') {
    const words = i18next.t(($) => $.players.imports.failed)
    notifyFailure(typeof error === 'string' ? `${words}: ${error}` : words, { title, persistent: true })
  }
}
