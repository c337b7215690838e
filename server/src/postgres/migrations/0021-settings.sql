-- The settings that were without a column; times of day are UTC.
alter table setting
  add column daily_spend_parsing_time text not null default '03:00',
  add column monthly_spend_parsing_time text not null default '04:00',
  add column monthly_spend_parsing_day int not null default 1,
  add column players_api_retrieval_time text not null default '02:00',
  add column spend_rise_factor numeric(5, 2) not null default 1.2,
  add column active boolean not null default true check (active);
