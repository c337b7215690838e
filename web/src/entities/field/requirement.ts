// True if a requirement allows anybody; what nobody may do has no button and no route.
import type { Requirement } from '@tributary/contract/access'

export const isEverAllowed = (requirement: Requirement): boolean =>
  requirement === 'everyone' || (requirement.roles?.length ?? 0) + (requirement.permissions?.length ?? 0) > 0
