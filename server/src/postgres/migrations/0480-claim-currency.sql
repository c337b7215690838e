-- A claim keeps the currency in which it was made, whatever the accepted sum is entered in. Claims so far had that of their spend.
alter table partner_spend add column claim_currency_id int references currency;

alter table partner_spend disable trigger user;
update partner_spend set claim_currency_id = currency_id where claim_sum is not null;
alter table partner_spend enable trigger user;

alter table partner_spend add constraint partner_spend_claim_currency check ((claim_sum is null) = (claim_currency_id is null));
create index partner_spend_claim_currency_id_idx on partner_spend (claim_currency_id) where claim_currency_id is not null;
