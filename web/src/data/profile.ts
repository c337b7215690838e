// The signed-in user's profile and permissions, cached until the session changes.

import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type AccessHolder, isAllowed, type Requirement } from '@tributary/contract/access'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { setBusinessZone, setHolder } from '../state/profile-facts.ts'
import { http } from './http.ts'

export type Profile = AnswerOf<'profile_read'>

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => {
    const profile = await http.get<Profile>('profile', { signal })
    setBusinessZone(profile.business_time_zone)
    setHolder(holderOf(profile))
    return profile
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

export const holderOf = (profile: Profile): AccessHolder => ({
  role: profile.role.kind,
  permissions: profile.permissions,
})

/** Only for components inside the frame, where the profile is already loaded. */
export function useProfile(): Profile {
  return useSuspenseQuery(profileQuery).data
}

/** Elements that a user may not use are not rendered: `can(entity.access.edit) && <Button/>`. */
export function useCan(): (requirement: Requirement) => boolean {
  const holder = holderOf(useProfile())
  return (requirement) => isAllowed(requirement, holder)
}
