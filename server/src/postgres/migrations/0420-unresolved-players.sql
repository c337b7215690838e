-- Qualified players without a payment resolution, by the day of qualification: alerts look for them every few minutes.
create index player_unresolved_idx on player (qualified_at) where qualification = 'qualified' and payment_resolution is null;
