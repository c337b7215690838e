-- Alerts that a user has dismissed: one comes back when it states other facts than these.
create table alert_dismissal (
  user_id int not null references "user" on delete cascade,
  alert text not null,
  subject text not null,
  facts text not null,
  dismissed_at timestamptz not null default now(),
  primary key (user_id, alert, subject)
);

-- Alerts as found last for each kind of viewer, so that reading them costs one row.
create table alert_finding (
  -- SHA-256 of the viewer: role, language and visible partners.
  key text primary key,
  viewer jsonb not null,
  found_at timestamptz not null default now(),
  read_at timestamptz not null default now(),
  alerts jsonb not null
);
