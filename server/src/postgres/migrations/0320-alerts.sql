-- Alerts: their thresholds and time in the settings, who gets them by mail, and the moment for which mails were queued last.
alter table setting
  add column missing_spend_days int not null default 3,
  add column alert_mail_time text not null default '06:00';

create table alert_mail (
  user_id int primary key references "user" on delete cascade,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);

create table alert_run (
  only_one boolean primary key default true check (only_one),
  -- The configured moment that was served last.
  due_at timestamptz not null,
  started_at timestamptz not null default now(),
  mails int not null
);
