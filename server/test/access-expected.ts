// Who may do what: the declarations of the contract, stated a second time, so that one that comes to open more or less fails the matrix.
// Each line was compared with a rule:
// - screens of the route table (PERM-03): admins alone, admins and team leaders, or everyone; a key opens what it is named after, view and edit
//   each their own; links, their histories and the managers of partners are changed with manager_access;
// - what has no screen of its own is viewed with the record that it is a part of; a call is open to those to whom its screen is;
// - look-ups are open to whoever has a field that chooses from them;
// - what is written by the traffic itself (clicks, postbacks, logs) nobody adds, changes or deletes.
// The rules name no audit log, integrations, looking on or ending others' sessions: those are for admins. What is a person's own (profile, keys,
// views, presence) is theirs, whatever the role; trying a link out, its postbacks to others, files and the history of a record are
// for all but partners.
// A new entity, call or report needs its line here, out of these rules.
//
// A admin · L team leader · M manager · P partner · E everyone who is signed in · + and the keys that open it, too · - nobody · public without a token

/** view, look-up, create, edit, delete. */
export const ENTITY_ACCESS: Readonly<Record<string, string>> = {
  click_rejection: 'AL+click - - - -',
  api_key: 'E - - E E',
  advertiser: 'A ALM A A A',
  advertiser_country: 'A ALM A A A',
  audit_log: 'A - - - -',
  budget:
    'AL+budget_report_view AL+budget_report_view AL+budget_report_edit AL+budget_report_edit AL+budget_report_edit',
  click: 'AL+click - - - -',
  country: 'A E A A A',
  country_mapping: 'A A A A A',
  currency: 'A E A A A',
  currency_rate: 'A A A A A',
  default_landing: 'A A A A A',
  event: 'A A A A A',
  google_parse_result: 'AL+partners_spend_view - - - -',
  landing: 'AL+landing_view E AL+landing_edit AL+landing_edit AL+landing_edit',
  offer: 'AL+offer_view E AL AL AL',
  offer_partner: 'E E AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_bet_requirement_history:
    'AL+offer_view AL+offer_view AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_bl_deposit_history: 'AL+offer_view AL+offer_view AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_bl_period_history: 'AL+offer_view AL+offer_view AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_cost_history: 'AL+offer_view AL+offer_view AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_max_days_history: 'AL+offer_view AL+offer_view AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_postback: 'ALM ALM AL+manager_access AL+manager_access AL+manager_access',
  offer_partner_tag: 'AL+offer_view AL+offer_view AL+manager_access AL+manager_access AL+manager_access',
  partner: 'AL+partners_view E AL+partners_edit AL+partners_edit AL+partners_edit',
  partner_advertiser_affiliate: 'AL+partners_view AL+partners_view AL+partners_edit AL+partners_edit AL+partners_edit',
  partner_budget:
    'AL+budget_report_view AL+budget_report_view AL+budget_report_edit AL+budget_report_edit AL+budget_report_edit',
  partner_event_group: 'A A A A A',
  partner_group: 'AL ALM AL AL AL',
  partner_group_manager: 'AL+partners_view AL+partners_view AL+manager_access AL+manager_access AL+manager_access',
  partner_info: 'AL+partners_view AL+partners_view AL+partners_edit AL+partners_edit AL+partners_edit',
  partner_partner_group: 'AL+partners_view AL+partners_view AL+partners_edit AL+partners_edit AL+partners_edit',
  partner_postback_url: 'AL+partners_view AL+partners_view AL+partners_edit AL+partners_edit AL+partners_edit',
  partner_spend:
    'AL+partners_spend_view AL+partners_spend_view AL+partners_spend_edit+partners_spend_partner_edit AL+partners_spend_edit+partners_spend_partner_edit AL+partners_spend_edit+partners_spend_partner_edit',
  partner_stream: 'AL+partners_view E AL+partners_edit AL+partners_edit AL+partners_edit',
  partner_tag: 'AL+partners_view AL+partners_view AL+partners_edit AL+partners_edit AL+partners_edit',
  payment_invoice: 'E E AL+payment_invoice_edit AL+payment_invoice_edit AL+payment_invoice_edit',
  payment_model: 'A E - A -',
  player: 'AL+players AL+players AL AL A',
  player_report: 'A A A A A',
  players_report_api: 'A A A A A',
  postback: 'E - - - -',
  product: 'A E A A A',
  setting: 'A - - A -',
  saved_view: 'E - E E E',
  report: 'A A - - A',
  traffic_source: 'AL+traffic_source_view E AL+traffic_source_edit AL+traffic_source_edit AL+traffic_source_edit',
  user: 'AL ALM AL AL -',
  user_role: 'A AL A A A',
}

export const CALL_ACCESS: Readonly<Record<string, string>> = {
  editing_leave: 'E',
  editing_renew: 'E',
  file_create: 'ALM',
  file_remove: 'ALM',
  audit_log_entry: 'ALM',
  audit_log_history: 'ALM',
  audit_log_restore: 'ALM',
  api_key_create: 'E',
  offer_activate: 'AL',
  offer_partner_test_event: 'ALM',
  offer_partner_test_link: 'ALM',
  offer_partner_health: 'E',
  offer_partner_update_bl_country_requirement: 'AL+manager_access',
  offer_partner_update_bl_deposit_history: 'AL+manager_access',
  offer_partner_update_bl_period_history: 'AL+manager_access',
  offer_partner_update_cost_history: 'AL+manager_access',
  partner_event_group_add_partner: 'A',
  partner_info_check_duplicate: 'AL+partners_view',
  partner_stream_validate_offer: 'E',
  partner_stream_validate_traffic_source: 'E',
  partner_test_postback: 'AL+partners_edit',
  postback_export_resent_postbacks: 'AL+partners_edit',
  postback_export_xlsx: 'E',
  postback_story: 'E',
  profile_change_password: 'E',
  profile_end_session: 'E',
  profile_end_sessions: 'E',
  profile_end_view: 'E',
  profile_read: 'E',
  profile_recover_password_mail: 'public',
  profile_recovery_codes: 'E',
  profile_reset_password: 'public',
  profile_sessions: 'E',
  integration_list: 'A',
  integration_update: 'A',
  player_bulk_update: 'A+cpa_payment_edit',
  player_geo_country: 'AL+players',
  player_import: 'A',
  player_promocode: 'AL+players',
  player_synchronize: 'A',
  player_timeline: 'AL+players',
  report_cancel: 'A',
  report_get_file: 'A',
  setting_save: 'A',
  token_create: 'public',
  token_logout: 'public',
  token_refresh: 'public',
  trace: 'E',
  visitor_sample: 'ALM',
  user_end_sessions: 'A',
  user_invite: 'AL',
  user_reset_two_factor: 'A',
  user_view_as: 'A',
  general_report: 'AL+general_report',
  general_report_rows: 'AL+general_report',
  general_report_values: 'AL+general_report',
  player_report_notification: 'E',
  general_report_export: 'AL+general_report',
  general_report_changes: 'AL+general_report',
  report_formula_list:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  report_formula_create:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  report_formula_update:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  report_formula_delete:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_list:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_create:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_update:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_delete:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_schedule:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_unschedule:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  saved_report_send:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  report_delivery_list:
    'AL+general_report+cohort_analysis_view+cohort_analysis_cumulative_view+partner_report+new_streams',
  general_report_old: 'AL+general_report',
  general_report_old_rows: 'AL+general_report',
  general_report_old_export: 'AL+general_report',
  general_report_click: 'AL+general_report',
  general_report_click_rows: 'AL+general_report',
  general_report_click_export: 'AL+general_report',
  general_report_click_old: 'AL+general_report',
  general_report_click_old_rows: 'AL+general_report',
  general_report_click_old_export: 'AL+general_report',
  cohort_analysis: 'AL+cohort_analysis_view',
  cohort_analysis_rows: 'AL+cohort_analysis_view',
  cohort_analysis_old: 'AL+cohort_analysis_view',
  cohort_analysis_old_rows: 'AL+cohort_analysis_view',
  cohort_analysis_cumulative: 'AL+cohort_analysis_cumulative_view',
  cohort_analysis_cumulative_rows: 'AL+cohort_analysis_cumulative_view',
  dashboard_efficiency_chart: 'AL+dashboard',
  dashboard_top_partners_chart: 'AL+dashboard',
  dashboard_top_country_chart: 'AL+dashboard',
  cost_report: 'E',
  player_report_cost_report: 'E',
  partner_report_new_deposit: 'AL+partner_report',
  partner_report_stream_report: 'AL+partner_report',
  new_streams: 'AL+new_streams',
}
