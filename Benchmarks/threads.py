"""Searches as many short Python programs do: threads, http.client and json. threads.py ADDRESS SEARCHES AT-ONCE"""

import http.client
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

address, searches, at_once = urlsplit(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
local = threading.local()


def page(number):
    if not hasattr(local, "connection"):
        local.connection = http.client.HTTPConnection(address.netloc)
    local.connection.request(
        "GET", f"/2/tweets/search/recent?query=tag{number}&max_results=100",
        headers={"Authorization": "Bearer t"})
    response = local.connection.getresponse()
    body = response.read()
    if response.status != 200:
        sys.exit(f"threads.py: status {response.status}")
    answer = json.loads(body)
    users = {user["id"]: user for user in answer["includes"]["users"]}
    return [(post, users[post["author_id"]], number) for post in answer["data"]]


with ThreadPoolExecutor(at_once) as pool:
    posts = {}
    for found in pool.map(page, range(searches)):
        for post, user, number in found:
            posts.setdefault(post["id"], (post, user, []))[2].append(number)

write = sys.stdout.write
for post, user, numbers in sorted(posts.values(), key=lambda found: found[0]["created_at"], reverse=True):
    tags = ", ".join(f"tag{number}" for number in numbers)
    counts = post["public_metrics"]
    write(
        f"{post['created_at']}  x  @{user['username']} ({user['name']})  {tags}\n    {post['text']}\n"
        f"    {counts['like_count']} likes, {counts['retweet_count']} reposts\n"
        f"    https://x.com/{user['username']}/status/{post['id']}\n\n")
