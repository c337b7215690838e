// Maps entities to their rules.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { EntityRules } from '../engine/model/entity-rules.ts'
import { defaultLandingRules } from './allowed-landings.ts'
import { auditLogRules } from './audit-log.ts'
import { budgetRules, partnerBudgetRules } from './budget.ts'
import { advertiserCountryRules } from './closed-place.ts'
import { currencyRateRules, rejectClosedMonthEdits } from './closed-terms.ts'
import { countryMappingRules, countryRules } from './country.ts'
import { currencyRules } from './currency.ts'
import { paymentModelRules, paymentModelShareHistoryRules } from './dated-terms.ts'
import { googleParseResultRules } from './google-parse-result.ts'
import { adjustmentRules, advertiserConfirmationRules, ledgerEntryRules } from './ledger.ts'
import { offerPaymentModelHistoryRules, offerRules, offerTermsHistoryRules } from './offer.ts'
import {
  offerPartnerAgencyPercentageHistoryRules,
  offerPartnerPostbackRules,
  offerPartnerRsShareHistoryRules,
  offerPartnerRules,
} from './offer-partner.ts'
import { partnerMembershipRules, partnerPostbackUrlRules, partnerRules, partnerStreamRules } from './partner.ts'
import { partnerGroupManagerRules, partnerGroupRules } from './partner-group.ts'
import { partnerSpendRules } from './partner-spend.ts'
import { playerRules } from './player.ts'
import { playerReportRules } from './player-report.ts'
import { playersReportApiRules } from './players-report-api.ts'
import { savedViewRules } from './saved-view.ts'
import { settingRules } from './setting.ts'
import { paymentInvoiceLineRules, statementRules } from './statement.ts'
import { userRoleRules, userRules } from './user.ts'

export const RULES: Readonly<Record<string, EntityRules>> = {
  adjustment: adjustmentRules,
  audit_log: auditLogRules,
  players_report_api: playersReportApiRules,
  advertiser_confirmation: advertiserConfirmationRules,
  advertiser_country: advertiserCountryRules,
  budget: budgetRules,
  country: countryRules,
  country_mapping: countryMappingRules,
  default_landing: defaultLandingRules,
  google_parse_result: googleParseResultRules,
  ledger_entry: ledgerEntryRules,
  offer: offerRules,
  offer_partner: offerPartnerRules,
  offer_partner_postback: offerPartnerPostbackRules,
  partner: partnerRules,
  partner_budget: partnerBudgetRules,
  partner_group: partnerGroupRules,
  partner_group_manager: partnerGroupManagerRules,
  partner_partner_group: partnerMembershipRules,
  partner_spend: partnerSpendRules,
  partner_postback_url: partnerPostbackUrlRules,
  partner_stream: partnerStreamRules,
  currency: currencyRules,
  currency_rate: currencyRateRules,
  agency_percentage_history: rejectClosedMonthEdits(null),
  offer_payment_model_history: rejectClosedMonthEdits('offer', offerPaymentModelHistoryRules),
  offer_terms_history: rejectClosedMonthEdits('offer', offerTermsHistoryRules),
  offer_partner_agency_percentage_history: rejectClosedMonthEdits(
    'offer_partner',
    offerPartnerAgencyPercentageHistoryRules,
  ),
  offer_partner_bet_requirement_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_bl_deposit_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_bl_period_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_cost_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_country_requirement_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_currency_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_max_days_history: rejectClosedMonthEdits('offer_partner'),
  offer_partner_rs_share_history: rejectClosedMonthEdits('offer_partner', offerPartnerRsShareHistoryRules),
  payment_invoice_line: paymentInvoiceLineRules,
  payment_model: paymentModelRules,
  payment_model_share_history: rejectClosedMonthEdits('payment_model', paymentModelShareHistoryRules),
  saved_view: savedViewRules,
  setting: settingRules,
  statement: statementRules,
  user: userRules,
  user_role: userRoleRules,
  player: playerRules,
  player_report: playerReportRules,
} satisfies Partial<Record<EntityName, EntityRules>>
