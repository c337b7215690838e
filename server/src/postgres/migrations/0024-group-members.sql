-- Who is in a partner group, as lists and filters ask: its partners, and the people who manage them there.
create view partner_group_partner as
  select partner_group_id, partner_id from partner_partner_group where active;

create view partner_group_user_manager as
  select distinct member.partner_group_id, manager.user_id
  from partner_partner_group as member join partner_group_manager as manager on manager.partner_partner_group_id = member.id
  where member.active and manager.active;
