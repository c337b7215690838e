-- Who has which record open to change it: one row a screen, renewed while it stands. What a crash loses here comes back by itself.
create unlogged table editing (
  entity text not null,
  entity_id bigint not null,
  screen uuid not null,
  user_id int not null references "user" on delete cascade,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (entity, entity_id, screen)
);
create index editing_seen on editing (seen_at);
