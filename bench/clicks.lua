-- Visitors as a tracker meets them: 500 agents, 20,000 addresses, sub ids and click ids of their own.
local agents = {}
for i = 1, 500 do
  agents[i] = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" .. i .. ".0.0.0 Safari/537.36"
end
local requests = {}
-- Not earlier: the Host header is known only now.
init = function()
  for n = 1, 20000 do
    requests[n] = wrk.format("GET", "/c/0b0e0b0e-0000-4000-8000-000000000001?sub_id=s" .. n .. "&click_id=pc" .. n, {
      ["User-Agent"] = agents[n % 500 + 1],
      ["Accept-Language"] = "en-US,en;q=0.9",
      ["Referer"] = "https://www.example.com/",
      ["X-Forwarded-For"] = (n % 223 + 1) .. "." .. (n % 251) .. "." .. (n % 241) .. ".7",
    })
  end
end
local n = 0
request = function()
  n = n + 1
  return requests[n % 20000 + 1]
end
