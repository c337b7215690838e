// What the user has arranged for themselves. It is part of the profile, so that the menu has it when it is first drawn.
import type { Preferences } from '@tributary/contract/calls/profile'
import { notifyFailure } from '../ui/notify.ts'
import { http } from './http.ts'
import { type Profile, profileQuery, useProfile } from './profile.ts'
import { queryClient } from './query-client.ts'

export const usePreferences = (): Preferences => useProfile().preferences

/**
 * Shows the change at once and stores it. It is made from the newest preferences, since a screen may not have drawn the last change yet. An
 * admin who views as somebody else changes only what they see.
 */
export async function savePreferences(edit: (now: Preferences) => Partial<Preferences>): Promise<void> {
  const profile = queryClient.getQueryData<Profile>(profileQuery.queryKey)
  if (profile === undefined) return
  const change = edit(profile.preferences)
  queryClient.setQueryData<Profile>(profileQuery.queryKey, {
    ...profile,
    preferences: { ...profile.preferences, ...change },
  })
  if (profile.viewed_by !== null) return
  try {
    // A reload must not cancel it: it would bring back what was there before.
    await http.put('profile/preferences', change, { isParting: true })
  } catch (error) {
    notifyFailure(error)
    await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
  }
}
