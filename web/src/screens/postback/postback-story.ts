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

export async function resend(body: ResendBody): Promise<ResentCount> {
  const resent = await http.post<ResentCount>('postback_export/resent_postbacks', body)
  if (body.dry_run !== true) await queryClient.invalidateQueries({ queryKey: keys.entity('postback') })
  return resent
}
