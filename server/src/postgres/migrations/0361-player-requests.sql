-- When the players of asked_day were requested.
alter table integration add column asked_at timestamptz;
