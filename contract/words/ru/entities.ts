// Russian words of every entity: its names, fields and choices. A missing entity, field or choice does not compile.
import type { EntitiesWords } from '../entity-words.ts'
import { adjustment } from './entities/adjustment.ts'
import { advertiser } from './entities/advertiser.ts'
import { advertiserConfirmation } from './entities/advertiser-confirmation.ts'
import { advertiserCountry } from './entities/advertiser-country.ts'
import { apiKey } from './entities/api-key.ts'
import { auditLog } from './entities/audit-log.ts'
import { budget, budgetVersion, partnerBudget } from './entities/budget.ts'
import { click } from './entities/click.ts'
import { clickRejection } from './entities/click-rejection.ts'
import { country } from './entities/country.ts'
import { countryMapping } from './entities/country-mapping.ts'
import { currency } from './entities/currency.ts'
import { currencyRate } from './entities/currency-rate.ts'
import { defaultLanding } from './entities/default-landing.ts'
import { event } from './entities/event.ts'
import { googleParseResult } from './entities/google-parse-result.ts'
import { landing } from './entities/landing.ts'
import { ledgerEntry, ledgerItem } from './entities/ledger-entry.ts'
import { offer } from './entities/offer.ts'
import { offerPaymentModelHistory, offerTermsHistory } from './entities/offer-history.ts'
import { offerPartner } from './entities/offer-partner.ts'
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
} from './entities/offer-partner-history.ts'
import { offerPartnerPostback } from './entities/offer-partner-postback.ts'
import { offerPartnerTag } from './entities/offer-partner-tag.ts'
import { partner } from './entities/partner.ts'
import { partnerAdvertiserAffiliate } from './entities/partner-advertiser-affiliate.ts'
import { partnerBilling } from './entities/partner-billing.ts'
import { partnerEventGroup } from './entities/partner-event-group.ts'
import { partnerGroup } from './entities/partner-group.ts'
import { partnerGroupManager } from './entities/partner-group-manager.ts'
import { partnerInfo } from './entities/partner-info.ts'
import { partnerPartnerGroup } from './entities/partner-partner-group.ts'
import { partnerPostbackUrl } from './entities/partner-postback-url.ts'
import { partnerSpend } from './entities/partner-spend.ts'
import { partnerStream } from './entities/partner-stream.ts'
import { partnerTag } from './entities/partner-tag.ts'
import { paymentInvoice } from './entities/payment-invoice.ts'
import { paymentModel } from './entities/payment-model.ts'
import { periodClose, periodClosePartner } from './entities/period-close.ts'
import { player } from './entities/player.ts'
import { playerReport } from './entities/player-report.ts'
import { playersReportApi } from './entities/players-report-api.ts'
import { postback } from './entities/postback.ts'
import { product } from './entities/product.ts'
import { report } from './entities/report.ts'
import { savedView } from './entities/saved-view.ts'
import { setting } from './entities/setting.ts'
import { crmAttempt, payment, paymentInvoiceLine, statement } from './entities/statement.ts'
import { agencyPercentageHistory, paymentModelShareHistory } from './entities/term-history.ts'
import { trafficSource } from './entities/traffic-source.ts'
import { user } from './entities/user.ts'
import { userRole } from './entities/user-role.ts'

export const entitiesRu = {
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
} as const satisfies EntitiesWords
