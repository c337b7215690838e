-- Files that people have sent. The bytes lie in DATA_DIR/uploads under the id; the name is only ever shown.
create table upload (
  id uuid primary key,
  name text not null,
  size bigint not null,
  user_id int not null references "user" on delete cascade,
  created_at timestamptz not null default now(),
  -- Something of the record refers to it; all others are dropped after a day.
  kept boolean not null default false
);
create index upload_passing on upload (created_at) where not kept;
