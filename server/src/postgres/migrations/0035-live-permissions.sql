-- Whoever changes what someone may do or see, by whatever way, tells that person's open screens. Keys only: each is decided where it is delivered.
create function tell_permissions(audience jsonb) returns void language sql as $$
  select pg_notify('live', jsonb_build_object('topic', 'permissions', 'payload', '{}'::jsonb, 'to', audience)::text)
$$;

create function tell_user_permissions() returns trigger language plpgsql as $$
begin
  perform tell_permissions(jsonb_build_object('users', jsonb_build_array(new.id)));
  return null;
end $$;
create trigger tell_permissions after update of role_id, partner_id, permissions, enabled on "user" for each row
  when (row(old.role_id, old.partner_id, old.permissions, old.enabled) is distinct from row(new.role_id, new.partner_id, new.permissions, new.enabled))
  execute function tell_user_permissions();

create function tell_role_permissions() returns trigger language plpgsql as $$
begin
  perform tell_permissions(jsonb_build_object('role', new.id));
  return null;
end $$;
create trigger tell_permissions after update of kind, permissions on user_role for each row
  when (row(old.kind, old.permissions) is distinct from row(new.kind, new.permissions))
  execute function tell_role_permissions();

-- A session that ends takes its open screens with it.
create function tell_session_end() returns trigger language plpgsql as $$
begin
  perform tell_permissions(jsonb_build_object('users', jsonb_build_array(new.user_id)));
  return null;
end $$;
create trigger tell_permissions after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null)
  execute function tell_session_end();

-- Leading or managing decides which rows are seen.
create function tell_scope() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform tell_permissions(jsonb_build_object('users', jsonb_build_array(old.user_id))); end if;
  if tg_op <> 'DELETE' then perform tell_permissions(jsonb_build_object('users', jsonb_build_array(new.user_id))); end if;
  return null;
end $$;
create trigger tell_scope after insert or update or delete on partner_group_team_leader for each row execute function tell_scope();
create trigger tell_scope after insert or update or delete on partner_group_manager for each row execute function tell_scope();
