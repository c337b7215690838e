-- The search finds partner offers by the name of their stream.
create index partner_stream_title_search_idx on partner_stream using gin (lower(title) gin_trgm_ops);
