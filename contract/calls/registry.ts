// Every call besides the generic ones of entities. Routes, OpenAPI and generated tests loop over it; the server must implement each.

import type { ZodType, z } from 'zod'
import { alertDismiss, alertList, alertMail } from './alert.ts'
import { auditLogEntry, auditLogHistory, auditLogRestore, auditLogUndo } from './audit-log.ts'
import {
  budgetApprove,
  budgetCopy,
  budgetPropose,
  budgetReportList,
  budgetReportPatch,
  budgetReportRead,
  budgetReportRemove,
  budgetReportUpdate,
  budgetWithdraw,
} from './budget.ts'
import { editingLeave, editingRenew } from './editing.ts'
import { fileCreate, fileRemove } from './file.ts'
import { integrationList, integrationUpdate, settingSave } from './integration.ts'
import { offerActivate } from './offer.ts'
import {
  offerPartnerHealth,
  sampleVisitorIp,
  updateBlCountryRequirement,
  updateBlDepositHistory,
  updateBlPeriodHistory,
  updateCostHistory,
} from './offer-partner.ts'
import { addPartner, checkDuplicate, validateOffer, validateTrafficSource } from './partner.ts'
import {
  partnerBillingConfirm,
  partnerBillingRead,
  partnerBillingReveal,
  partnerBillingWrite,
} from './partner-billing.ts'
import { financeOverview, partnerLedger } from './partner-ledger.ts'
import { partnerSpendAccept } from './partner-spend.ts'
import {
  paymentInvoiceCorrect,
  paymentInvoiceCreate,
  paymentInvoicePreview,
  paymentInvoiceSend,
  paymentInvoiceSendSelected,
  paymentInvoiceVoid,
} from './payment-invoice.ts'
import {
  ledgerEntryChanges,
  ledgerTrueUp,
  periodCloseChecklist,
  periodCloseCreate,
  periodCloseReopen,
} from './period-close.ts'
import { playerBulkUpdate, playerGeoCountry, playerPromocode, playerTimeline } from './player.ts'
import { postbackStory, postbackXlsx, resentPostbacks } from './postback.ts'
import {
  profileChangePassword,
  profileEndSession,
  profileEndSessions,
  profileEndView,
  profilePreferences,
  profileRead,
  profileRecoverPasswordMail,
  profileRecoveryCodes,
  profileResetPassword,
  profileSessions,
  tokenCreate,
  tokenLogout,
  tokenRefresh,
} from './profile.ts'
import { playerImport, playerSynchronize, reportCancel, reportGetFile } from './report.ts'
import { scheduleList } from './schedule.ts'
import { search } from './search.ts'
import { partnerSpendImport, partnerSpendImportTake } from './spend-import.ts'
import { sheetMappingUpdate, sheetParse, sheetPreview, sheetsState, sheetsTestAccess } from './spend-sheet.ts'
import {
  partnerSpendMissing,
  partnerSpendSpread,
  partnerSpendSpreadStream,
  partnerSpendTable,
  partnerSpendTableExport,
  partnerSpendUpdateTable,
} from './spend-table.ts'
import { startSteps } from './start-steps.ts'
import {
  paymentCreate,
  paymentReverse,
  statementApprove,
  statementApproveSelected,
  statementCreate,
  statementDispute,
  statementLineItems,
  statementPdf,
  statementResolve,
  statementVoid,
  statementXlsx,
  verify,
} from './statement.ts'
import { statusRead } from './status.ts'
import { testEvent, testLink, testPostback } from './tester.ts'
import { trace } from './trace.ts'
import { apiKeyCreate, userEndSessions, userInvite, userResetTwoFactor, userViewAs } from './user.ts'
export const CALLS = {
  alert_list: alertList,
  alert_mail: alertMail,
  alert_dismiss: alertDismiss,
  schedule_list: scheduleList,
  status_read: statusRead,
  editing_leave: editingLeave,
  editing_renew: editingRenew,
  file_create: fileCreate,
  file_remove: fileRemove,
  audit_log_entry: auditLogEntry,
  audit_log_history: auditLogHistory,
  audit_log_restore: auditLogRestore,
  audit_log_undo: auditLogUndo,
  api_key_create: apiKeyCreate,
  budget_approve: budgetApprove,
  budget_copy: budgetCopy,
  budget_propose: budgetPropose,
  budget_report_list: budgetReportList,
  budget_report_patch: budgetReportPatch,
  budget_report_read: budgetReportRead,
  budget_report_remove: budgetReportRemove,
  budget_report_update: budgetReportUpdate,
  budget_withdraw: budgetWithdraw,
  offer_activate: offerActivate,
  offer_partner_test_event: testEvent,
  offer_partner_test_link: testLink,
  offer_partner_health: offerPartnerHealth,
  offer_partner_update_bl_country_requirement: updateBlCountryRequirement,
  offer_partner_update_bl_deposit_history: updateBlDepositHistory,
  offer_partner_update_bl_period_history: updateBlPeriodHistory,
  offer_partner_update_cost_history: updateCostHistory,
  partner_billing_confirm: partnerBillingConfirm,
  partner_billing_read: partnerBillingRead,
  partner_billing_reveal: partnerBillingReveal,
  partner_billing_write: partnerBillingWrite,
  partner_ledger: partnerLedger,
  finance_overview: financeOverview,
  partner_event_group_add_partner: addPartner,
  partner_info_check_duplicate: checkDuplicate,
  partner_stream_validate_offer: validateOffer,
  partner_stream_validate_traffic_source: validateTrafficSource,
  partner_test_postback: testPostback,
  payment_invoice_correct: paymentInvoiceCorrect,
  payment_invoice_create: paymentInvoiceCreate,
  payment_invoice_line_items: statementLineItems,
  payment_invoice_preview: paymentInvoicePreview,
  payment_invoice_send: paymentInvoiceSend,
  payment_invoice_send_selected: paymentInvoiceSendSelected,
  payment_invoice_void: paymentInvoiceVoid,
  payment_create: paymentCreate,
  payment_reverse: paymentReverse,
  statement_approve: statementApprove,
  statement_approve_selected: statementApproveSelected,
  statement_create: statementCreate,
  statement_dispute: statementDispute,
  statement_pdf: statementPdf,
  statement_resolve: statementResolve,
  statement_void: statementVoid,
  statement_xlsx: statementXlsx,
  postback_export_resent_postbacks: resentPostbacks,
  postback_export_xlsx: postbackXlsx,
  postback_story: postbackStory,
  profile_change_password: profileChangePassword,
  profile_end_session: profileEndSession,
  profile_end_sessions: profileEndSessions,
  profile_end_view: profileEndView,
  profile_preferences: profilePreferences,
  profile_read: profileRead,
  profile_recover_password_mail: profileRecoverPasswordMail,
  profile_recovery_codes: profileRecoveryCodes,
  profile_reset_password: profileResetPassword,
  profile_sessions: profileSessions,
  integration_list: integrationList,
  integration_update: integrationUpdate,
  partner_partner_group_parse_sheet: sheetParse,
  partner_partner_group_preview_sheet: sheetPreview,
  partner_partner_group_sheet_mapping: sheetMappingUpdate,
  partner_spend_accept: partnerSpendAccept,
  sheets_state: sheetsState,
  sheets_test_access: sheetsTestAccess,
  partner_spend_import: partnerSpendImport,
  partner_spend_import_take: partnerSpendImportTake,
  partner_spend_missing: partnerSpendMissing,
  partner_spend_table: partnerSpendTable,
  partner_spend_table_export: partnerSpendTableExport,
  partner_spend_update_by_partner: partnerSpendSpread,
  partner_spend_update_by_stream_and_country: partnerSpendSpreadStream,
  partner_spend_update_table: partnerSpendUpdateTable,
  player_bulk_update: playerBulkUpdate,
  player_geo_country: playerGeoCountry,
  player_import: playerImport,
  player_promocode: playerPromocode,
  player_synchronize: playerSynchronize,
  player_timeline: playerTimeline,
  report_cancel: reportCancel,
  report_get_file: reportGetFile,
  ledger_entry_changes: ledgerEntryChanges,
  ledger_entry_true_up: ledgerTrueUp,
  period_close_checklist: periodCloseChecklist,
  period_close_create: periodCloseCreate,
  period_close_reopen: periodCloseReopen,
  setting_save: settingSave,
  token_create: tokenCreate,
  token_logout: tokenLogout,
  token_refresh: tokenRefresh,
  search,
  start_steps: startSteps,
  trace,
  verify,
  visitor_sample: sampleVisitorIp,
  user_end_sessions: userEndSessions,
  user_invite: userInvite,
  user_reset_two_factor: userResetTwoFactor,
  user_view_as: userViewAs,
} as const

export type Calls = typeof CALLS
export type CallName = keyof Calls

/** A call's answer as it comes over the wire. */
export type AnswerOf<N extends CallName> = Calls[N] extends { answer: infer A extends ZodType }
  ? z.output<A>
  : undefined

export const CALL_NAMES = Object.keys(CALLS) as readonly CallName[]
