// Which nouns have rules beside the generic store.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { EntityRules } from './rules.ts'

export const RULES: Readonly<Record<string, EntityRules>> = {} satisfies Partial<Record<EntityName, EntityRules>>
