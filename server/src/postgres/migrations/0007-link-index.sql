-- The tracker keeps links in memory; whatever a link is made of tells it when that changes.
create function notify_links() returns trigger language plpgsql as $$
declare
  line record;
begin
  if tg_op = 'DELETE' then line := old; else line := new; end if;
  perform pg_notify('links_changed', tg_argv[0] || ':' || coalesce(to_jsonb(line) ->> tg_argv[1], ''));
  return null;
end $$;

create trigger links after insert or update or delete on offer_partner for each row execute function notify_links('link', 'id');
create trigger links after insert or update or delete on offer_partner_landing for each row execute function notify_links('link', 'offer_partner_id');
create trigger links after insert or update or delete on offer_partner_postback for each row execute function notify_links('link', 'offer_partner_id');
create trigger links after update on offer for each row execute function notify_links('offer', 'id');
create trigger links after update on partner for each row execute function notify_links('partner', 'id');
create trigger links after update on partner_stream for each row execute function notify_links('stream', 'id');
create trigger links after insert or update or delete on partner_postback_url for each row execute function notify_links('partner', 'partner_id');
create trigger links after update on advertiser for each row execute function notify_links('advertiser', 'id');
create trigger links after insert or update or delete on advertiser_country for each row execute function notify_links('advertiser', 'advertiser_id');
create trigger links after insert or update or delete on advertiser_landing for each row execute function notify_links('advertiser', 'advertiser_id');
create trigger links after insert or update or delete on default_landing for each row execute function notify_links('advertiser', 'advertiser_id');
create trigger links after insert or update or delete on landing for each row execute function notify_links('landing', 'id');
create trigger links after update on country for each row execute function notify_links('country', 'id');
create trigger links after update on setting for each row execute function notify_links('setting', 'id');
