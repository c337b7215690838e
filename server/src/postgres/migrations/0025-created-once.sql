-- A creation that is sent twice makes one row: the key that its sender gave it, and what it made. Kept for a day.
create table created_once (
  user_id int not null references "user" on delete cascade,
  key text not null,
  entity text not null,
  body_hash bytea not null,
  entity_id bigint,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index created_once_created_at_idx on created_once (created_at);
