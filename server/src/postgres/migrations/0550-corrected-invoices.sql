-- A request to the CRM that was made from a rejected one names it.
alter table payment_invoice add column corrects_id int references payment_invoice;
create index payment_invoice_corrects_id_idx on payment_invoice (corrects_id) where corrects_id is not null;
