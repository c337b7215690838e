-- The days for which an advertiser has reported income, with the moment at which each became known. Income of later days is unknown, not 0.
create table reported_income (
  advertiser_id int not null references advertiser on delete cascade,
  day date not null,
  reported_at timestamptz not null default now(),
  primary key (advertiser_id, day)
);

insert into reported_income (advertiser_id, day, reported_at)
select p.advertiser_id, r.report_date, min(r.created_at)
from player_report r join player p on p.id = r.player_id
group by p.advertiser_id, r.report_date;

insert into reported_income (advertiser_id, day, reported_at)
select advertiser_id, report_date, updated_at from players_report_api
where status in ('success', 'warnings') and requested_site_ids = '{}'
on conflict do nothing;

create function note_reported_income() returns trigger language plpgsql as $$
begin
  insert into reported_income (advertiser_id, day)
  select distinct p.advertiser_id, c.report_date from changed c join player p on p.id = c.player_id
  order by 1, 2
  on conflict do nothing;
  return null;
end $$;

create trigger reported_income_insert after insert on player_report referencing new table as changed
  for each statement execute function note_reported_income();

-- An advertiser that was asked for all of its sites and names no player has reported the day, too.
create function note_answered_day() returns trigger language plpgsql as $$
begin
  insert into reported_income (advertiser_id, day) values (new.advertiser_id, new.report_date) on conflict do nothing;
  return null;
end $$;

create trigger reported_income after insert or update on players_report_api for each row
  when (new.status in ('success', 'warnings') and new.requested_site_ids = '{}') execute function note_answered_day();
