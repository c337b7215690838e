-- Advertisers who tell of one new player after another, by form: wrk's side of traffic.ts.
local told = 0
local run = os.time()

request = function()
  told = told + 1
  local body = "event=reg&site_id=bench-site&player_id=" .. run .. "-" .. told
  return wrk.format("POST", nil, { ["Content-Type"] = "application/x-www-form-urlencoded" }, body)
end
