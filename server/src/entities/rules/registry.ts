// Maps entities to their rules.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { EntityRules } from '../engine/model/entity-rules.ts'
import { defaultLandingRules } from './allowed-landings.ts'
import { budgetRules, partnerBudgetRules } from './budget.ts'
import { currencyRateRules, keepClosedTerms } from './closed-terms.ts'
import { countryMappingRules, countryRules } from './country.ts'
import { paymentModelRules, paymentModelShareHistoryRules } from './dated-terms.ts'
import { googleParseResultRules } from './google-parse-result.ts'
import { adjustmentRules, advertiserConfirmationRules } from './ledger.ts'
import { offerRules, offerTermsHistoryRules } from './offer.ts'
import {
  offerPartnerAgencyPercentageHistoryRules,
  offerPartnerPostbackRules,
  offerPartnerRules,
} from './offer-partner.ts'
import { partnerPostbackUrlRules, partnerRules, partnerStreamRules } from './partner.ts'
import { partnerGroupManagerRules, partnerGroupRules } from './partner-group.ts'
import { partnerSpendRules } from './partner-spend.ts'
import { playerRules } from './player.ts'
import { playerReportRules } from './player-report.ts'
import { savedViewRules } from './saved-view.ts'
import { settingRules } from './setting.ts'
import { paymentInvoiceLineRules } from './statement.ts'
import { userRoleRules, userRules } from './user.ts'

export const RULES: Readonly<Record<string, EntityRules>> = {
  adjustment: adjustmentRules,
  advertiser_confirmation: advertiserConfirmationRules,
  budget: budgetRules,
  country: countryRules,
  country_mapping: countryMappingRules,
  default_landing: defaultLandingRules,
  google_parse_result: googleParseResultRules,
  offer: offerRules,
  offer_partner: offerPartnerRules,
  offer_partner_postback: offerPartnerPostbackRules,
  partner: partnerRules,
  partner_budget: partnerBudgetRules,
  partner_group: partnerGroupRules,
  partner_group_manager: partnerGroupManagerRules,
  partner_spend: partnerSpendRules,
  partner_postback_url: partnerPostbackUrlRules,
  partner_stream: partnerStreamRules,
  currency_rate: currencyRateRules,
  agency_percentage_history: keepClosedTerms(null),
  offer_payment_model_history: keepClosedTerms('offer'),
  offer_terms_history: keepClosedTerms('offer', offerTermsHistoryRules),
  offer_partner_agency_percentage_history: keepClosedTerms('offer_partner', offerPartnerAgencyPercentageHistoryRules),
  offer_partner_bet_requirement_history: keepClosedTerms('offer_partner'),
  offer_partner_bl_deposit_history: keepClosedTerms('offer_partner'),
  offer_partner_bl_period_history: keepClosedTerms('offer_partner'),
  offer_partner_cost_history: keepClosedTerms('offer_partner'),
  offer_partner_country_requirement_history: keepClosedTerms('offer_partner'),
  offer_partner_currency_history: keepClosedTerms('offer_partner'),
  offer_partner_max_days_history: keepClosedTerms('offer_partner'),
  offer_partner_rs_share_history: keepClosedTerms('offer_partner'),
  payment_invoice_line: paymentInvoiceLineRules,
  payment_model: paymentModelRules,
  payment_model_share_history: keepClosedTerms('payment_model', paymentModelShareHistoryRules),
  saved_view: savedViewRules,
  setting: settingRules,
  user: userRules,
  user_role: userRoleRules,
  player: playerRules,
  player_report: playerReportRules,
} satisfies Partial<Record<EntityName, EntityRules>>
