-- Visitors who were turned away, a bounded sample of a flood: what they asked for and why they did not get it. Kept for a month.
create table click_rejection (
  id bigint generated always as identity primary key,
  created_at timestamptz not null,
  reason text not null,
  offer_partner_id int references offer_partner on delete cascade,
  partner_id int references partner on delete cascade,
  offer_id int references offer on delete cascade,
  url text not null,
  ip text not null,
  user_agent text,
  referrer text
);
create index click_rejection_created_at_idx on click_rejection (created_at desc, id desc);
create index click_rejection_partner_id_idx on click_rejection (partner_id, created_at desc);
create index click_rejection_offer_partner_id_idx on click_rejection (offer_partner_id, created_at desc);
