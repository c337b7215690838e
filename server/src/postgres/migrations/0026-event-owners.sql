-- A partner whose event names are kept is referred to, and therefore not deleted in passing.
alter table event drop constraint event_partner_id_fkey;
alter table event add constraint event_partner_id_fkey foreign key (partner_id) references partner;
alter table partner_event_group_partner drop constraint partner_event_group_partner_partner_id_fkey;
alter table partner_event_group_partner add constraint partner_event_group_partner_partner_id_fkey foreign key (partner_id) references partner;
