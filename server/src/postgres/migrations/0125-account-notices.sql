-- Whoever's password, second factor or address was changed is told by mail, whatever has changed it: a notice waits here until it is sent.
create table account_notice (
  id bigint generated always as identity primary key,
  user_id int not null references "user" on delete cascade,
  -- Of an address that was changed, the one before: the newer one may be another's.
  email text not null,
  change text not null check (change in ('password', 'second_factor', 'email')),
  at timestamptz not null default now()
);
create index account_notice_user_id_idx on account_notice (user_id);

create function note_account_change() returns trigger language plpgsql as $$
begin
  if old.password_hash <> new.password_hash then
    insert into account_notice (user_id, email, change) values (old.id, old.email, 'password');
  end if;
  if old.totp_secret is not null and old.totp_secret is distinct from new.totp_secret then
    insert into account_notice (user_id, email, change) values (old.id, old.email, 'second_factor');
  end if;
  if old.email <> new.email then
    insert into account_notice (user_id, email, change) values (old.id, old.email, 'email');
  end if;
  return null;
end $$;

create trigger note_account_change after update of password_hash, totp_secret, email on "user"
  for each row execute function note_account_change();
