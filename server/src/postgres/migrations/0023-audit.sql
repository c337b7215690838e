-- Why a row was changed, and the row that it belongs to: a record's history has its own changes and those of its collections, found by
-- index among millions.
alter table audit_log
  add column cause text,
  add column of_entity text,
  add column of_id bigint,
  add column created_at timestamptz not null generated always as (at) stored;

update audit_log set (of_entity, of_id) = (
  select owner.entity, (coalesce(after, before) ->> owner.entity)::bigint
  from (values
    ('country_mapping', 'country'), ('currency_rate', 'currency'),
    ('advertiser_country', 'advertiser'), ('default_landing', 'advertiser'),
    ('partner_partner_group', 'partner'), ('partner_stream', 'partner'), ('partner_advertiser_affiliate', 'partner'),
    ('partner_postback_url', 'partner'), ('partner_info', 'partner'),
    ('offer_partner_postback', 'offer_partner'), ('offer_partner_cost_history', 'offer_partner'),
    ('offer_partner_bl_deposit_history', 'offer_partner'), ('offer_partner_bl_period_history', 'offer_partner'),
    ('offer_partner_bet_requirement_history', 'offer_partner'), ('offer_partner_max_days_history', 'offer_partner')
  ) as owner (row_of, entity)
  where owner.row_of = audit_log.entity
)
where entity <> 'partner_group_manager';

update audit_log set of_entity = 'partner', of_id = member.partner_id
from partner_partner_group as member
where audit_log.entity = 'partner_group_manager'
  and member.id = (coalesce(after, before) ->> 'partner_partner_group')::bigint;

create index audit_log_of_idx on audit_log (of_entity, of_id, id desc) where of_id is not null;
create index audit_log_at_idx on audit_log (at desc, id desc);
create index audit_log_action_idx on audit_log (action, id desc);
create index audit_log_kind_idx on audit_log (entity, id desc);
create index audit_log_entity_id_idx on audit_log (entity_id, id desc);
create index audit_log_request_id_idx on audit_log (request_id);
