-- A confirmation belongs to a closed month: deleting its advertiser is refused, as for all other rows that refer to one.
alter table advertiser_confirmation drop constraint advertiser_confirmation_advertiser_id_fkey;
alter table advertiser_confirmation add constraint advertiser_confirmation_advertiser_id_fkey foreign key (advertiser_id) references advertiser;
-- The same holds for a partner whose billing details are known: they would be lost without a trace.
alter table partner_billing drop constraint partner_billing_partner_id_fkey;
alter table partner_billing add constraint partner_billing_partner_id_fkey foreign key (partner_id) references partner;
