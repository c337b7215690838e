// The handler of each declared call. A call without one does not compile.
import type { CallName, Calls } from '@tributary/contract/calls/registry'
import { dismissAlert, listAlerts, setAlertMail } from './alert.ts'
import { readAuditEntry, readAuditHistory, restoreAudited, undoAudited } from './audit-log.ts'
import {
  approveBudgets,
  copyBudgets,
  listBudgets,
  patchBudget,
  proposeBudgets,
  readBudget,
  removeBudget,
  updateBudget,
  withdrawBudgets,
} from './budget.ts'
import { leaveEditing, renewEditing } from './editing.ts'
import { createFile, removeFile } from './file.ts'
import type { Handler } from './handler.ts'
import { listIntegrations, saveSetting, updateIntegration } from './integration.ts'
import {
  activateOffer,
  readHealth,
  readSampleIp,
  updateBlCountryRequirement,
  updateBlDepositHistory,
  updateBlPeriodHistory,
  updateCostHistory,
} from './offer-partner.ts'
import { addPartner, checkDuplicate, validateOffer, validateTrafficSource } from './partner.ts'
import { confirmBilling, readBilling, revealBilling, writeBilling } from './partner-billing.ts'
import { readFinanceOverview, readLedger } from './partner-ledger.ts'
import { acceptSpends } from './partner-spend.ts'
import {
  correctOneInvoice,
  createInvoices,
  previewInvoices,
  queueSelectedToCrm,
  queueToCrm,
  voidOneInvoice,
} from './payment-invoice.ts'
import {
  checkPeriodClose,
  createPeriodClose,
  readEntryChanges,
  reopenPeriodClose,
  startTrueUp,
} from './period-close.ts'
import { bulkUpdatePlayers, lookUpGeoCountries, lookUpPromocodes } from './player.ts'
import { readTimeline } from './player-timeline.ts'
import { exportPostbacks, readPostbackStory, resendPostbacks } from './postback.ts'
import { createToken, logOut, readProfile, refreshToken, savePreferences } from './profile.ts'
import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listSessions,
  recoverPasswordMail,
  renewRecoveryCodes,
  resetPassword,
} from './profile-account.ts'
import { cancelReport, importPlayers, sendReportFile, synchronizePlayers } from './report.ts'
import { listSchedules } from './schedule.ts'
import { searchRecords } from './search.ts'
import { importSpends, takeSpendImport } from './spend-import.ts'
import { previewSheet, readSheetsState, startSheetParse, testSheetAccess, updateSheetMapping } from './spend-sheet.ts'
import {
  exportSpendTable,
  readMissingSpends,
  readSpendTable,
  spreadByPartner,
  spreadByStream,
  updateSpendTable,
} from './spend-table.ts'
import { readStartSteps } from './start-steps.ts'
import {
  approveOneStatement,
  approveSelectedStatements,
  createStatement,
  disputeOneStatement,
  readLineItems,
  recordPayment,
  resolveOneStatement,
  reverseOnePayment,
  sendStatementPdf,
  sendStatementSheet,
  verifyFile,
  voidOneStatement,
} from './statement.ts'
import { readStatus } from './status.ts'
import { testEvent, testPostback, testTrackingLink } from './tester.ts'
import { readTrace } from './trace.ts'
import { createApiKey, endSessionsOfUser, endView, inviteUser, resetTwoFactor, viewAs } from './user.ts'
export const HANDLERS = {
  alert_list: listAlerts,
  alert_mail: setAlertMail,
  alert_dismiss: dismissAlert,
  schedule_list: listSchedules,
  status_read: readStatus,
  editing_leave: leaveEditing,
  editing_renew: renewEditing,
  file_create: createFile,
  file_remove: removeFile,
  audit_log_entry: readAuditEntry,
  audit_log_history: readAuditHistory,
  audit_log_restore: restoreAudited,
  audit_log_undo: undoAudited,
  api_key_create: createApiKey,
  budget_approve: approveBudgets,
  budget_copy: copyBudgets,
  budget_propose: proposeBudgets,
  budget_report_list: listBudgets,
  budget_report_patch: patchBudget,
  budget_report_read: readBudget,
  budget_report_remove: removeBudget,
  budget_report_update: updateBudget,
  budget_withdraw: withdrawBudgets,
  offer_activate: activateOffer,
  offer_partner_test_event: testEvent,
  offer_partner_test_link: testTrackingLink,
  offer_partner_health: readHealth,
  offer_partner_update_bl_country_requirement: updateBlCountryRequirement,
  offer_partner_update_bl_deposit_history: updateBlDepositHistory,
  offer_partner_update_bl_period_history: updateBlPeriodHistory,
  offer_partner_update_cost_history: updateCostHistory,
  partner_billing_confirm: confirmBilling,
  partner_billing_read: readBilling,
  partner_billing_reveal: revealBilling,
  partner_billing_write: writeBilling,
  partner_ledger: readLedger,
  finance_overview: readFinanceOverview,
  partner_event_group_add_partner: addPartner,
  partner_info_check_duplicate: checkDuplicate,
  partner_spend_accept: acceptSpends,
  partner_partner_group_parse_sheet: startSheetParse,
  partner_partner_group_preview_sheet: previewSheet,
  partner_partner_group_sheet_mapping: updateSheetMapping,
  sheets_state: readSheetsState,
  sheets_test_access: testSheetAccess,
  partner_spend_import: importSpends,
  partner_spend_import_take: takeSpendImport,
  partner_spend_missing: readMissingSpends,
  partner_spend_table: readSpendTable,
  partner_spend_table_export: exportSpendTable,
  partner_spend_update_by_partner: spreadByPartner,
  partner_spend_update_by_stream_and_country: spreadByStream,
  partner_spend_update_table: updateSpendTable,
  partner_stream_validate_offer: validateOffer,
  partner_stream_validate_traffic_source: validateTrafficSource,
  partner_test_postback: testPostback,
  payment_invoice_correct: correctOneInvoice,
  payment_invoice_create: createInvoices,
  payment_invoice_line_items: readLineItems,
  payment_invoice_preview: previewInvoices,
  payment_invoice_send: queueToCrm,
  payment_invoice_send_selected: queueSelectedToCrm,
  payment_invoice_void: voidOneInvoice,
  payment_create: recordPayment,
  payment_reverse: reverseOnePayment,
  statement_approve: approveOneStatement,
  statement_approve_selected: approveSelectedStatements,
  statement_create: createStatement,
  statement_dispute: disputeOneStatement,
  statement_pdf: sendStatementPdf,
  statement_resolve: resolveOneStatement,
  statement_void: voidOneStatement,
  statement_xlsx: sendStatementSheet,
  postback_export_resent_postbacks: resendPostbacks,
  postback_export_xlsx: exportPostbacks,
  postback_story: readPostbackStory,
  profile_change_password: changePassword,
  profile_end_session: endOwnSession,
  profile_end_sessions: endOtherSessions,
  profile_end_view: endView,
  profile_preferences: savePreferences,
  profile_read: readProfile,
  profile_recover_password_mail: recoverPasswordMail,
  profile_recovery_codes: renewRecoveryCodes,
  profile_reset_password: resetPassword,
  profile_sessions: listSessions,
  integration_list: listIntegrations,
  integration_update: updateIntegration,
  player_bulk_update: bulkUpdatePlayers,
  player_geo_country: lookUpGeoCountries,
  player_import: importPlayers,
  player_promocode: lookUpPromocodes,
  player_synchronize: synchronizePlayers,
  player_timeline: readTimeline,
  report_cancel: cancelReport,
  report_get_file: sendReportFile,
  ledger_entry_changes: readEntryChanges,
  ledger_entry_true_up: startTrueUp,
  period_close_checklist: checkPeriodClose,
  period_close_create: createPeriodClose,
  period_close_reopen: reopenPeriodClose,
  setting_save: saveSetting,
  token_create: createToken,
  token_logout: logOut,
  token_refresh: refreshToken,
  search: searchRecords,
  start_steps: readStartSteps,
  trace: readTrace,
  verify: verifyFile,
  visitor_sample: readSampleIp,
  user_end_sessions: endSessionsOfUser,
  user_invite: inviteUser,
  user_reset_two_factor: resetTwoFactor,
  user_view_as: viewAs,
} satisfies { [N in CallName]: Handler<Calls[N]> }
