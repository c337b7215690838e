// What the server tells of one postback beside its row, and sending it again.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Calls } from '@tributary/contract/calls/registry'
import type { z } from 'zod'
import { http } from '../../data/http.ts'
import { keys, queryClient } from '../../data/query-client.ts'

export type PostbackStory = z.output<Calls['postback_story']['answer']>
export type Attempt = PostbackStory['attempts'][number]
type ResendBody = z.input<Calls['postback_export_resent_postbacks']['body']>
type Resent = z.output<Calls['postback_export_resent_postbacks']['answer']>

export function usePostbackStory(id: number | string): UseQueryResult<PostbackStory> {
  return useQuery({
    queryKey: [...keys.row('postback', id), 'story'],
    queryFn: ({ signal }) => http.get<PostbackStory>(`postback/${id}/story`, { signal }),
    staleTime: 0,
  })
}

export async function resend(body: ResendBody): Promise<Resent> {
  const resent = await http.post<Resent>('postback_export/resent_postbacks', body)
  if (body.dry_run !== true) await queryClient.invalidateQueries({ queryKey: keys.entity('postback') })
  return resent
}
