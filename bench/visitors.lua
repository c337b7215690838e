-- Visitors who come once each: an address of their own for every click, one of 500 agents.
local agents = {}
for i = 1, 500 do
  agents[i] = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" .. i .. ".0.0.0 Safari/537.36"
end
local n = 0
init = function(args)
  n = tonumber(args[1]) or 0
end
local headers = { ["Accept-Language"] = "en-US,en;q=0.9", ["Referer"] = "https://www.example.com/" }
request = function()
  n = n + 1
  headers["User-Agent"] = agents[n % 500 + 1]
  headers["X-Forwarded-For"] = (math.floor(n / 16777216) % 100 + 20) .. "." .. (math.floor(n / 65536) % 256) .. "." .. (math.floor(n / 256) % 256) .. "." .. (n % 256)
  return wrk.format("GET", "/c/0b0e0b0e-0000-4000-8000-000000000001?sub_id=s" .. n .. "&click_id=pc" .. n, headers)
end
