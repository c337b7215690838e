-- Documents of a statement name a partner offer as it was when its line was written: a later change of its site ID, or of the title of its
-- offer or stream, would rewrite the workbook of an approved statement. A line without an invoice has no stream of its own.
alter table payment_invoice_line add column offer_partner_title text;
update payment_invoice_line l set offer_partner_title = concat_ws(' · ', o.title,
    (select m.title from payment_invoice i join partner_stream m on m.id = i.stream_id where i.id = l.payment_invoice_id), k.site_id)
from offer_partner k join offer o on o.id = k.offer_id
where k.id = l.offer_partner_id;
