-- A spend keeps the partner offer that was chosen when it was entered. What a partner enters is a claim beside the accepted sum.
alter table partner_spend
  alter column sum drop not null,
  add column offer_partner_id int references offer_partner,
  add column claim_sum numeric(18, 4),
  add column claim_by_id int references "user",
  add column claim_at timestamptz,
  add column accepted_by_id int references "user",
  add column state text not null generated always as (
    case when claim_sum is null then 'accepted' when sum is null then 'claimed' else 'disputed' end
  ) stored,
  add constraint partner_spend_sum_or_claim check (sum is not null or claim_sum is not null);

-- The link that reports have shown so far. Nothing else of the row changes, so neither its version nor its facts do.
alter table partner_spend disable trigger user;
update partner_spend s set offer_partner_id = (
  select l.id from offer_partner l
    join offer o on o.id = l.offer_id
    join advertiser_country c on c.id = o.advertiser_country_id
  where l.stream_id = s.stream_id and c.country_id = s.country_id and (s.site_id is null or l.site_id = s.site_id)
  order by l.active desc, l.id
  limit 1
);
alter table partner_spend enable trigger user;

create index partner_spend_offer_partner_id_idx on partner_spend (offer_partner_id);
create index partner_spend_claimed_idx on partner_spend (date) where claim_sum is not null;

-- The percentage of the agency counts on AGENCY links alone. Spends that have it elsewhere keep it, so that no report changes by itself: they
-- are listed by their payment model, and removed by hand.
alter table partner_spend add column keeps_percentage boolean not null default false;
alter table partner_spend disable trigger user;
update partner_spend s set keeps_percentage = true
where not exists (
  select from offer_partner l join offer o on o.id = l.offer_id join payment_model m on m.id = o.payment_model_id
  where l.id = s.offer_partner_id and m.type = 'AGENCY'
);
alter table partner_spend enable trigger user;

alter table setting add column spend_claim_days int not null default 7 check (spend_claim_days between 1 and 366);
