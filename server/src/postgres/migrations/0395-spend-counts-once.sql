-- A day of a partner offer has one accepted spend, with the site or without it. Spends that count beside another one since before this rule stay
-- as they are, so that no report changes by itself.
alter table partner_spend add column counts_beside boolean not null default false;

alter table partner_spend disable trigger user;
update partner_spend s set counts_beside = true
where active and sum is not null and exists (
  select from partner_spend other
  where other.offer_partner_id = s.offer_partner_id and other.stream_id = s.stream_id and other.country_id = s.country_id and other.date = s.date
    and other.active and other.sum is not null and other.id < s.id
);
alter table partner_spend enable trigger user;

create unique index partner_spend_counts_once_key on partner_spend (offer_partner_id, stream_id, country_id, date)
  where active and sum is not null and not counts_beside;
