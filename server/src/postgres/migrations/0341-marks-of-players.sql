-- The mark of a player's qualification leaves the version: a form that somebody has open can still be saved.
drop trigger touch on player;
create trigger touch before update on player for each row
  when (current_setting('tributary.cause', true) is distinct from 'qualification') execute function touch_row();
