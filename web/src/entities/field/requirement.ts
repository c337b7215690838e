// Whether a requirement opens to anybody at all: what nobody may do has no button and no route.
import type { Requirement } from '@tributary/contract/access'

export const isOpen = (requirement: Requirement): boolean =>
  requirement === 'everyone' || (requirement.roles?.length ?? 0) + (requirement.permissions?.length ?? 0) > 0
