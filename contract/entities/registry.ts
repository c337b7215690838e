// Lists every entity. Screens, routes, OpenAPI, labels and generated tests loop over it.
import { adjustment } from './adjustment.ts'
import { advertiser } from './advertiser.ts'
import { advertiserConfirmation } from './advertiser-confirmation.ts'
import { advertiserCountry } from './advertiser-country.ts'
import { apiKey } from './api-key.ts'
import { auditLog } from './audit-log.ts'
import { budget, budgetVersion, partnerBudget } from './budget.ts'
import { click } from './click.ts'
import { clickRejection } from './click-rejection.ts'
import { country } from './country.ts'
import { countryMapping } from './country-mapping.ts'
import { currency } from './currency.ts'
import { currencyRate } from './currency-rate.ts'
import { defaultLanding } from './default-landing.ts'
import { event } from './event.ts'
import { googleParseResult } from './google-parse-result.ts'
import { landing } from './landing.ts'
import { ledgerEntry, ledgerItem } from './ledger-entry.ts'
import { offer } from './offer.ts'
import { offerPaymentModelHistory, offerTermsHistory } from './offer-history.ts'
import { offerPartner } from './offer-partner.ts'
import {
  offerPartnerAgencyPercentageHistory,
  offerPartnerBetRequirementHistory,
  offerPartnerBlDepositHistory,
  offerPartnerBlPeriodHistory,
  offerPartnerCostHistory,
  offerPartnerCountryRequirementHistory,
  offerPartnerCurrencyHistory,
  offerPartnerMaxDaysHistory,
  offerPartnerRsShareHistory,
} from './offer-partner-history.ts'
import { offerPartnerPostback } from './offer-partner-postback.ts'
import { offerPartnerTag } from './offer-partner-tag.ts'
import { partner } from './partner.ts'
import { partnerAdvertiserAffiliate } from './partner-advertiser-affiliate.ts'
import { partnerBilling } from './partner-billing.ts'
import { partnerEventGroup } from './partner-event-group.ts'
import { partnerGroup } from './partner-group.ts'
import { partnerGroupManager } from './partner-group-manager.ts'
import { partnerInfo } from './partner-info.ts'
import { partnerPartnerGroup } from './partner-partner-group.ts'
import { partnerPostbackUrl } from './partner-postback-url.ts'
import { partnerSpend } from './partner-spend.ts'
import { partnerStream } from './partner-stream.ts'
import { partnerTag } from './partner-tag.ts'
import { paymentInvoice } from './payment-invoice.ts'
import { paymentModel } from './payment-model.ts'
import { periodClose, periodClosePartner } from './period-close.ts'
import { player } from './player.ts'
import { playerReport } from './player-report.ts'
import { playersReportApi } from './players-report-api.ts'
import { postback } from './postback.ts'
import { product } from './product.ts'
import { report } from './report.ts'
import { savedView } from './saved-view.ts'
import { setting } from './setting.ts'
import { crmAttempt, payment, paymentInvoiceLine, statement } from './statement.ts'
import { agencyPercentageHistory, paymentModelShareHistory } from './term-history.ts'
import { trafficSource } from './traffic-source.ts'
import { user } from './user.ts'
import { userRole } from './user-role.ts'

export const ENTITIES = {
  api_key: apiKey,
  agency_percentage_history: agencyPercentageHistory,
  adjustment,
  advertiser,
  advertiser_confirmation: advertiserConfirmation,
  advertiser_country: advertiserCountry,
  audit_log: auditLog,
  budget,
  budget_version: budgetVersion,
  click,
  click_rejection: clickRejection,
  country,
  country_mapping: countryMapping,
  currency,
  currency_rate: currencyRate,
  default_landing: defaultLanding,
  event,
  google_parse_result: googleParseResult,
  landing,
  ledger_entry: ledgerEntry,
  ledger_item: ledgerItem,
  offer,
  offer_partner: offerPartner,
  offer_partner_agency_percentage_history: offerPartnerAgencyPercentageHistory,
  offer_partner_bet_requirement_history: offerPartnerBetRequirementHistory,
  offer_partner_bl_deposit_history: offerPartnerBlDepositHistory,
  offer_partner_bl_period_history: offerPartnerBlPeriodHistory,
  offer_partner_cost_history: offerPartnerCostHistory,
  offer_partner_country_requirement_history: offerPartnerCountryRequirementHistory,
  offer_partner_currency_history: offerPartnerCurrencyHistory,
  offer_partner_max_days_history: offerPartnerMaxDaysHistory,
  offer_partner_rs_share_history: offerPartnerRsShareHistory,
  offer_partner_postback: offerPartnerPostback,
  offer_partner_tag: offerPartnerTag,
  offer_payment_model_history: offerPaymentModelHistory,
  offer_terms_history: offerTermsHistory,
  partner,
  partner_advertiser_affiliate: partnerAdvertiserAffiliate,
  partner_billing: partnerBilling,
  partner_budget: partnerBudget,
  partner_event_group: partnerEventGroup,
  partner_group: partnerGroup,
  partner_group_manager: partnerGroupManager,
  partner_info: partnerInfo,
  partner_partner_group: partnerPartnerGroup,
  partner_postback_url: partnerPostbackUrl,
  partner_spend: partnerSpend,
  partner_stream: partnerStream,
  partner_tag: partnerTag,
  payment,
  payment_invoice: paymentInvoice,
  payment_invoice_line: paymentInvoiceLine,
  statement,
  crm_attempt: crmAttempt,
  payment_model: paymentModel,
  payment_model_share_history: paymentModelShareHistory,
  period_close: periodClose,
  period_close_partner: periodClosePartner,
  player,
  player_report: playerReport,
  players_report_api: playersReportApi,
  postback,
  product,
  setting,
  saved_view: savedView,
  report,
  traffic_source: trafficSource,
  user,
  user_role: userRole,
} as const

export type Entities = typeof ENTITIES
export type EntityName = keyof Entities
/** Names of an entity's declared fields. */
export type FieldName<N extends EntityName> = Extract<keyof Entities[N]['fields'], string>

/** True for a key of `ENTITIES`. */
export const isEntityName = (name: string): name is EntityName => Object.hasOwn(ENTITIES, name)

export const ENTITY_NAMES = Object.keys(ENTITIES) as readonly EntityName[]
