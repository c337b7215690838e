-- Using a code or setting up a second factor is no change of the person's row: whoever is editing the person must not be told that it is stale.
drop trigger touch on "user";
create trigger touch before update of full_name, email, enabled, role_id, partner_id, name_for_analysts, crm_user_id, permissions, language, time_zone, active
  on "user" for each row execute function touch_row();
