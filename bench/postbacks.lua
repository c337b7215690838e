-- Advertisers that report one new player after another, by form: wrk's side of traffic.ts.
local sent = 0
local run = os.time()

request = function()
  sent = sent + 1
  local body = "event=reg&site_id=bench-site&player_id=" .. run .. "-" .. sent
  return wrk.format("POST", nil, { ["Content-Type"] = "application/x-www-form-urlencoded" }, body)
end
