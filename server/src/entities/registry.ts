// Which nouns have rules beside the generic store.

import type { EntityName } from '@tributary/contract/entities/registry'
import { offerRules } from './offer.ts'
import { offerPartnerRules } from './offer-partner.ts'
import { offerPartnerPostbackRules } from './offer-partner-postback.ts'
import { partnerRules } from './partner.ts'
import { partnerStreamRules } from './partner-stream.ts'
import type { EntityRules } from './rules.ts'

export const RULES: Readonly<Record<string, EntityRules>> = {
  offer: offerRules,
  offer_partner: offerPartnerRules,
  offer_partner_postback: offerPartnerPostbackRules,
  partner: partnerRules,
  partner_stream: partnerStreamRules,
} satisfies Partial<Record<EntityName, EntityRules>>
