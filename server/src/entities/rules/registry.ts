// Entities that have rules beside the generic store.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { EntityRules } from '../engine/model/entity-rules.ts'
import { defaultLandingRules } from './allowed-landings.ts'
import { budgetRules } from './budget.ts'
import { countryMappingRules, countryRules } from './country.ts'
import { offerRules } from './offer.ts'
import { offerPartnerRules } from './offer-partner.ts'
import { offerPartnerPostbackRules } from './offer-partner-postback.ts'
import { partnerRules } from './partner.ts'
import { partnerGroupRules } from './partner-group.ts'
import { partnerGroupManagerRules } from './partner-group-manager.ts'
import { partnerPostbackUrlRules } from './partner-postback-url.ts'
import { partnerSpendRules } from './partner-spend.ts'
import { partnerStreamRules } from './partner-stream.ts'
import { paymentInvoiceRules } from './payment-invoice.ts'
import { playerRules } from './player.ts'
import { playerReportRules } from './player-report.ts'
import { savedViewRules } from './saved-view.ts'
import { settingRules } from './setting.ts'
import { userRules } from './user.ts'
import { userRoleRules } from './user-role.ts'

export const RULES: Readonly<Record<string, EntityRules>> = {
  budget: budgetRules,
  country: countryRules,
  country_mapping: countryMappingRules,
  default_landing: defaultLandingRules,
  offer: offerRules,
  offer_partner: offerPartnerRules,
  offer_partner_postback: offerPartnerPostbackRules,
  partner: partnerRules,
  partner_budget: budgetRules,
  partner_group: partnerGroupRules,
  partner_group_manager: partnerGroupManagerRules,
  partner_spend: partnerSpendRules,
  partner_postback_url: partnerPostbackUrlRules,
  partner_stream: partnerStreamRules,
  payment_invoice: paymentInvoiceRules,
  saved_view: savedViewRules,
  setting: settingRules,
  user: userRules,
  user_role: userRoleRules,
  player: playerRules,
  player_report: playerReportRules,
} satisfies Partial<Record<EntityName, EntityRules>>
