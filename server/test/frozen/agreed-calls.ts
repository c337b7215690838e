// The agreed calls of entities by method and path, on which clients rely. The list is written by hand, so that a change of the
// registries cannot change it unnoticed.

const WHOLE = [
  'traffic_source landing currency currency_rate country country_mapping product advertiser advertiser_country',
  'default_landing offer offer_partner offer_partner_tag partner partner_info partner_tag partner_stream',
  'partner_partner_group partner_group partner_group_manager partner_advertiser_affiliate partner_event_group event',
  'partner_spend partner_budget saved_view',
  'offer_partner_cost_history offer_partner_bl_deposit_history offer_partner_bl_period_history',
  'offer_partner_bet_requirement_history offer_partner_max_days_history',
].flatMap((line) => line.split(' '))

const READ =
  'user user_role player postback click setting payment_model audit_log google_parse_result payment_invoice statement payment'.split(
    ' ',
  )

const SINGLE = [
  'PUT payment_model/{id}',
  'POST setting',
  'PUT setting/{id}',
  'PUT offer/activate/{id}',
  'GET partner_stream/{id}/validate_offer',
  'GET partner_stream/{id}/validate_traffic_source',
  'POST partner_event_group/{id}/partner',
  'PUT offer_partner/{id}/update_cost_history',
  'PUT offer_partner/{id}/update_bl_deposit_history',
  'PUT offer_partner/{id}/update_bl_period_history',
  'PUT offer_partner/{id}/update_bl_country_requirement',
  'GET partner_info/{id}/check_duplicate',
  'GET audit_log/history/{entity}/{id}',
  'GET audit_log/{id}/changes',
  'POST audit_log/{id}/restore',
  'POST audit_log/undo',
  'POST payment_invoice',
  'POST payment_invoice/preview',
  'PUT payment_invoice/{id}/send',
  'PUT payment_invoice/{id}/void',
  'PUT payment_invoice/{id}/correct',
  'POST statement',
  'PUT statement/{id}/approve',
  'PUT statement/{id}/void',
  'PUT statement/{id}/dispute',
  'PUT statement/{id}/resolve',
  'GET statement/{id}/pdf',
  'GET statement/{id}/xlsx',
  'POST payment',
  'PUT payment/{id}/reverse',
  'GET partner/{id}/billing',
  'GET partner/{id}/ledger',
  'PUT partner/{id}/billing',
  'POST partner/{id}/billing/confirm',
  'POST verify',
  'POST file',
  'GET click/export',
]

export const DIRECTORY_CALLS: readonly string[] = [
  ...[...WHOLE, ...READ].flatMap((name) => [`GET ${name}`, `GET ${name}/{id}`]),
  ...WHOLE.flatMap((name) => [`POST ${name}`, `PUT ${name}/{id}`, `PATCH ${name}/{id}`, `DELETE ${name}/{id}`]),
  ...SINGLE,
]
