// What the server tells of one postback beside its row, and sending it again.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { PostbackStory, ResendBody, ResentCount } from '@tributary/contract/calls/postback'
import { http } from '../../data/http.ts'
import { keys, queryClient } from '../../data/query-client.ts'

export function usePostbackStory(id: number | string): UseQueryResult<PostbackStory> {
  return useQuery({
    queryKey: [...keys.row('postback', id), 'story'],
    queryFn: ({ signal }) => http.get<PostbackStory>(`postback/${id}/story`, { signal }),
    staleTime: 0,
  })
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long after its click an event came, in its two largest units; the instant of a click is in its id. Null when it cannot be told. */
export function sinceClick(clickId: unknown, at: unknown, language: string): string | null {
  if (typeof clickId !== 'string' || typeof at !== 'string' || clickId[14] !== '7') return null
  const clicked = Number.parseInt(clickId.replace('-', '').slice(0, 12), 16)
  let left = Math.floor((Date.parse(at) - clicked) / 1000)
  if (!(left >= 0)) return null
  const parts: string[] = []
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds)
    left -= count * seconds
    if (count > 0 || (seconds === 1 && parts.length === 0))
      parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
  }
  return parts.slice(0, 2).join(' ')
}

export async function resend(body: ResendBody): Promise<ResentCount> {
  const resent = await http.post<ResentCount>('postback_export/resent_postbacks', body)
  if (body.dry_run !== true) await queryClient.invalidateQueries({ queryKey: keys.entity('postback') })
  return resent
}
