-- Views of lists under a name: own ones, and those that colleagues share. One of a person's views of a list is what it opens with.
create table saved_view (
  id int primary key generated always as identity,
  user_id int not null,
  list text not null,
  title text not null,
  state jsonb not null default '{}',
  shared boolean not null default false,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint saved_view_user_id_fkey foreign key (user_id) references "user",
  constraint saved_view_user_id_list_title_key unique (user_id, list, title)
);
create unique index saved_view_default_key on saved_view (user_id, list) where is_default;
create index saved_view_list_idx on saved_view (list) where shared;
create trigger touch before update on saved_view for each row execute function touch_row();
