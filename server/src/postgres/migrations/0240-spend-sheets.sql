-- Spends from Google Sheets: the file that a row comes from, headings that are a partner's own, when the clock asked last, and what a parse did.
alter table partner_spend add column sheet_file text;
alter table partner_partner_group add column sheet_mapping jsonb;

create table sheet_run (
  kind text primary key check (kind in ('daily', 'monthly')),
  -- The configured moment that was served last.
  due_at timestamptz not null,
  started_at timestamptz not null default now(),
  files int not null
);

alter table google_parse_result
  add column file_title text,
  add column file_url text,
  add column trigger text not null default 'daily' check (trigger in ('daily', 'monthly', 'manual')),
  add column started_by_id int references "user",
  add column duration_ms int,
  add column calls int,
  add column rows_changed int not null default 0,
  add column rows_removed int not null default 0,
  add column rows_unchanged int not null default 0;
create index google_parse_result_started_by_id_idx on google_parse_result (started_by_id);
