-- Documents of a statement name a partner offer as it was when its line was written: a later change of its site ID, or of the title of its
-- offer or stream, would rewrite the workbook of an approved statement.
alter table payment_invoice_line add column offer_partner_title text;
update payment_invoice_line l set offer_partner_title = concat_ws(' · ', o.title, m.title, k.site_id)
from offer_partner k join offer o on o.id = k.offer_id, payment_invoice i left join partner_stream m on m.id = i.stream_id
where k.id = l.offer_partner_id and i.id = l.payment_invoice_id;
