// About the least that a run can cost on a machine: asks for the pages of many searches of X, and prints
// what `searchagg run` prints for them, byte for byte, from one thread, with libcurl and simdjson.
//
//   yardstick ADDRESS SEARCHES AT-ONCE text|ndjson
//
// It knows what the answers of `searchagg-bench answers` contain, and no more: no reposts, media, polls or
// errors, of HTML's references the four of markup, and of control codes those without parameters.
#include <curl/curl.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

using std::string;
using std::string_view;
using simdjson::dom::element;
using simdjson::dom::object;

namespace {

[[noreturn]] void fail(string_view what) {
  fprintf(stderr, "yardstick: %.*s\n", int(what.size()), what.data());
  exit(1);
}

struct Post {
  string_view id, text, language, handle, name;
  std::vector<string_view> topics;
  std::vector<string_view> links;
  uint64_t number;
  int64_t milliseconds;
  int64_t likes, reposts, replies, views;
  bool isSensitive;
  std::vector<uint32_t> searches;
};

struct Search {
  string tag;
  string body;
  uint32_t posts = 0;
};

// MARK: Dates

int64_t daysBeforeEpoch(int64_t year, int64_t month, int64_t day) {
  // https://howardhinnant.github.io/date_algorithms.html#days_from_civil
  year -= month <= 2;
  int64_t era = year / 400, yearOfEra = year - era * 400;
  int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

int64_t number(string_view digits) {
  int64_t value = 0;
  for (char digit : digits) {
    if (digit < '0' || digit > '9') fail("a date is malformed");
    value = value * 10 + (digit - '0');
  }
  return value;
}

int64_t milliseconds(string_view date) {
  if (date.size() < 20 || date.back() != 'Z') fail("a date is malformed");
  int64_t days =
      daysBeforeEpoch(number(date.substr(0, 4)), number(date.substr(5, 2)), number(date.substr(8, 2)));
  int64_t seconds = number(date.substr(11, 2)) * 3600 + number(date.substr(14, 2)) * 60 +
                    number(date.substr(17, 2));
  int64_t rest = date[19] == '.' ? number(date.substr(20, 3)) : 0;
  return (days * 86400 + seconds) * 1000 + rest;
}

// MARK: Output

class Output {
 public:
  void add(string_view text) { bytes.append(text); }
  void add(char byte) { bytes.push_back(byte); }

  void add(int64_t value) {
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    bytes.append(digits, end);
  }

  void addDate(int64_t milliseconds) {
    int64_t days = milliseconds / 86400000 + 719468, rest = milliseconds % 86400000;
    int64_t era = days / 146097, dayOfEra = days - era * 146097;
    int64_t yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
    int64_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int64_t shifted = (5 * dayOfYear + 2) / 153, day = dayOfYear - (153 * shifted + 2) / 5 + 1;
    int64_t month = shifted + (shifted < 10 ? 3 : -9), year = yearOfEra + era * 400 + (month <= 2);
    char text[] = "0000-00-00T00:00:00.000Z";
    put(text, 4, year), put(text + 5, 2, month), put(text + 8, 2, day);
    put(text + 11, 2, rest / 3600000), put(text + 14, 2, rest / 60000 % 60);
    put(text + 17, 2, rest / 1000 % 60), put(text + 20, 3, rest % 1000);
    add(string_view(text, 24));
  }

  // The length of a control code at a position, or 0: C0, DEL, C1, the bidirectional controls, the byte
  // order mark and tags.
  static size_t control(string_view text, size_t at) {
    auto byte = [&](size_t offset) -> unsigned {
      return at + offset < text.size() ? uint8_t(text[at + offset]) : 0;
    };
    switch (byte(0)) {
      case 0x00 ... 0x1F: case 0x7F: return 1;
      case 0xC2: return byte(1) < 0xA0 ? 2 : 0;
      case 0xD8: return byte(1) == 0x9C ? 2 : 0;
      case 0xE2:
        if (byte(1) == 0x81) return byte(2) >= 0xA6 && byte(2) <= 0xAF ? 3 : 0;
        return byte(1) == 0x80 &&
                       (byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE))
                   ? 3 : 0;
      case 0xEF: return byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0;
      case 0xF3: return byte(1) == 0xA0 && (byte(2) == 0x80 || byte(2) == 0x81) ? 4 : 0;
      default: return 0;
    }
  }

  // The bytes that need a closer look: control codes, leading bytes of longer ones, quotes and backslashes.
  static const bool *special() {
    static const auto table = [] {
      std::array<bool, 256> table{};
      for (int byte = 0; byte < 0x20; byte++) table[byte] = true;
      for (int byte : {0x22, 0x5C, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3}) table[byte] = true;
      return table;
    }();
    return table.data();
  }

  // Text on one line or, with an indent, on several, without control codes.
  void addText(string_view text, string_view indent = {}) {
    const bool *isSpecial = special();
    size_t start = 0, at = 0;
    while (at < text.size()) {
      size_t length = isSpecial[uint8_t(text[at])] ? control(text, at) : 0;
      if (length == 0) { at++; continue; }
      add(text.substr(start, at - start));
      if (text[at] == '\n') add(indent.empty() ? " " : "\n"), add(indent);
      if (text[at] == '\t') add(' ');
      start = at += length;
    }
    add(text.substr(start));
  }

  void addJSON(string_view text) {
    static const char digits[] = "0123456789abcdef";
    const bool *isSpecial = special();
    add('"');
    size_t start = 0, at = 0;
    while (at < text.size()) {
      uint8_t byte = text[at];
      if (!isSpecial[byte]) { at++; continue; }
      size_t length = byte == '"' || byte == '\\' ? 1 : control(text, at);
      if (length == 0) { at++; continue; }
      if (length > 1) fail("a text has a control code that is not ASCII");
      add(text.substr(start, at - start)), add('\\');
      switch (byte) {
        case '\n': add('n'); break;
        case '\r': add('r'); break;
        case '\t': add('t'); break;
        case '"': case '\\': add(char(byte)); break;
        default: add("u00"), add(digits[byte >> 4]), add(digits[byte & 15]);
      }
      start = at += length;
    }
    add(text.substr(start)), add('"');
  }

  void flush(size_t threshold) {
    if (bytes.size() < threshold) return;
    for (size_t done = 0; done < bytes.size();) {
      ssize_t count = write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
      if (count < 0) fail("cannot write");
      done += size_t(count);
    }
    bytes.clear();
  }

 private:
  static void put(char *place, int count, int64_t value) {
    while (count-- > 0) place[count] = char('0' + value % 10), value /= 10;
  }

  string bytes;
};

// MARK: Answers

class Reader {
 public:
  std::vector<Post> posts;

  void read(Search &search, uint32_t index) {
    search.body.reserve(search.body.size() + simdjson::SIMDJSON_PADDING);
    object answer = parser.parse(search.body.data(), search.body.size(), false);
    string *texts = &arena.emplace_back();
    texts->reserve(search.body.size());
    std::unordered_map<string_view, std::pair<string_view, string_view>> users;
    for (object user : answer["includes"]["users"].get_array()) {
      users[user["id"]] = {keep(user["username"], *texts), keep(user["name"], *texts)};
    }
    for (object item : answer["data"].get_array()) {
      search.posts++;
      string_view id = item["edit_history_tweet_ids"].at(0);
      if (id != string_view(item["id"])) fail("a post was edited");
      auto [place, isNew] = known.try_emplace(uint64_t(number(id)), posts.size());
      if (!isNew) {
        posts[place->second].searches.push_back(index);
        continue;
      }
      Post post{};
      post.number = place->first;
      post.id = keep(id, *texts);
      post.language = keep(item["lang"], *texts);
      post.milliseconds = milliseconds(item["created_at"]);
      post.isSensitive = item["possibly_sensitive"];
      auto user = users.find(string_view(item["author_id"]));
      if (user == users.end()) fail("an author is missing");
      std::tie(post.handle, post.name) = user->second;
      object counts = item["public_metrics"];
      post.likes = counts["like_count"], post.reposts = counts["retweet_count"];
      post.replies = counts["reply_count"], post.views = counts["impression_count"];
      readText(post, item, *texts);
      post.searches.push_back(index);
      posts.push_back(std::move(post));
    }
    search.body = string();
  }

 private:
  simdjson::dom::parser parser;
  std::deque<string> arena;
  std::unordered_map<uint64_t, size_t> known;

  // The texts of a page are kept in one string, which never grows beyond what it has reserved.
  static string_view keep(string_view text, string &texts) {
    if (texts.size() + text.size() > texts.capacity()) fail("a page is too small for its texts");
    size_t start = texts.size();
    texts.append(text);
    return string_view(texts).substr(start);
  }

  // The text with its short addresses expanded, and with the references to markup decoded.
  static void readText(Post &post, object item, string &texts) {
    string_view text = item["text"];
    struct Address { size_t at; string_view shown, whole; };
    std::vector<Address> addresses;
    for (object hashtag : item["entities"]["hashtags"].get_array()) {
      string_view tag = hashtag["tag"];
      string_view kept = keep(tag, texts);
      if (std::find(post.topics.begin(), post.topics.end(), kept) == post.topics.end()) {
        post.topics.push_back(kept);
      }
    }
    for (object url : item["entities"]["urls"].get_array()) {
      string_view shown = url["url"], whole = url["expanded_url"];
      string_view kept = keep(whole, texts);
      if (std::find(post.links.begin(), post.links.end(), kept) == post.links.end()) {
        post.links.push_back(kept);
      }
      if (size_t at = find(shown, text, int64_t(url["start"])); at != string_view::npos) {
        addresses.push_back({at, shown, whole});
      }
    }
    size_t start = texts.size(), at = 0;
    for (const Address &address : addresses) {
      decode(text.substr(at, address.at - at), texts);
      keep(address.whole, texts);
      at = address.at + address.shown.size();
    }
    decode(text.substr(at), texts);
    post.text = string_view(texts).substr(start);
  }

  // Where a short address is: at its offset in code points, or else the first that is a whole word.
  static size_t find(string_view shown, string_view text, int64_t offset) {
    size_t first = text.find(shown);
    if (first == string_view::npos) return first;
    size_t place = 0;
    for (int64_t seen = -1; place < text.size(); place++) {
      if ((text[place] & 0xC0) != 0x80 && ++seen == offset) break;
    }
    if (place < text.size() && text.substr(place, shown.size()) == shown) return place;
    for (size_t at = first; at != string_view::npos; at = text.find(shown, at + 1)) {
      size_t end = at + shown.size();
      if (end == text.size() || !isalnum(uint8_t(text[end]))) return at;
    }
    return string_view::npos;
  }

  static void decode(string_view text, string &texts) {
    static const std::pair<string_view, string_view> references[] = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
    for (size_t at; (at = text.find('&')) != string_view::npos;) {
      keep(text.substr(0, at), texts);
      text.remove_prefix(at);
      auto known = std::find_if(std::begin(references), std::end(references),
                                [&](auto &one) { return text.substr(0, one.first.size()) == one.first; });
      keep(known == std::end(references) ? "&" : known->second, texts);
      text.remove_prefix(known == std::end(references) ? 1 : known->first.size());
    }
    keep(text, texts);
  }
};

// MARK: Printing

void addCounts(const Post &post, Output &out) {
  bool isFirst = true;
  auto add = [&](int64_t count, string_view one) {
    if (count == 0) return;
    out.add(isFirst ? "    " : ", "), out.add(count), out.add(' '), out.add(one);
    if (count != 1) out.add('s');
    isFirst = false;
  };
  add(post.likes, "like"), add(post.reposts, "repost"), add(post.replies, "comment");
  if (!isFirst) out.add('\n');
}

void printText(const Post &post, const std::deque<Search> &searches, Output &out) {
  out.addDate(post.milliseconds), out.add("  x  @"), out.addText(post.handle);
  if (!post.name.empty() && post.name != post.handle) {
    out.add(" ("), out.addText(post.name), out.add(')');
  }
  if (post.isSensitive) out.add("  sensitive");
  for (size_t index = 0; index < post.searches.size(); index++) {
    out.add(index == 0 ? "  " : ", "), out.addText(searches[post.searches[index]].tag);
  }
  out.add("\n    "), out.addText(post.text, "    "), out.add('\n');
  addCounts(post, out);
  out.add("    https://x.com/"), out.add(post.handle), out.add("/status/"), out.add(post.id), out.add('\n');
}

void printJSON(const Post &post, const std::deque<Search> &searches, string_view server, Output &out) {
  auto member = [&](string_view key, string_view text) { out.add(key), out.addJSON(text); };
  auto list = [&](string_view key, size_t count, auto text) {
    if (count == 0) return;
    out.add(key);
    for (size_t index = 0; index < count; index++) {
      out.add(index == 0 ? '[' : ','), out.addJSON(text(index));
    }
    out.add(']');
  };
  member("{\"id\":", post.id), out.add(",\"source\":\"x\""), member(",\"server\":", server);
  out.add(",\"url\":\"https://x.com/"), out.add(post.handle), out.add("/status/"), out.add(post.id);
  out.add("\",\"uri\":\"https://x.com/i/status/"), out.add(post.id);
  member("\",\"author\":{\"handle\":", post.handle), member(",\"name\":", post.name);
  out.add(",\"url\":\"https://x.com/"), out.add(post.handle);
  member("\"},\"text\":", post.text);
  out.add(",\"created_at\":\""), out.addDate(post.milliseconds);
  member("\",\"language\":", post.language);
  list(",\"tags\":", post.searches.size(), [&](size_t index) -> string_view {
    return searches[post.searches[index]].tag;
  });
  list(",\"topics\":", post.topics.size(), [&](size_t index) { return post.topics[index]; });
  list(",\"links\":", post.links.size(), [&](size_t index) { return post.links[index]; });
  out.add(",\"counts\":{\"likes\":"), out.add(post.likes), out.add(",\"reposts\":"), out.add(post.reposts);
  out.add(",\"replies\":"), out.add(post.replies), out.add(",\"views\":"), out.add(post.views);
  out.add("},\"sensitive\":"), out.add(post.isSensitive ? "true}\n" : "false}\n");
}

void printOutcomes(const std::deque<Search> &searches, string_view server, Output &out) {
  out.add("{\"outcomes\":[");
  for (size_t index = 0; index < searches.size(); index++) {
    out.add(index == 0 ? "{\"tag\":" : ",{\"tag\":"), out.addJSON(searches[index].tag);
    out.add(",\"source\":\"x\",\"server\":"), out.addJSON(server);
    out.add(",\"outcome\":\"completed\",\"posts\":"), out.add(int64_t(searches[index].posts));
    out.add(",\"pages\":1}");
  }
  out.add("],\"incomplete\":false}\n");
}

// MARK: Transfers

size_t receive(char *bytes, size_t size, size_t count, void *search) {
  static_cast<Search *>(search)->body.append(bytes, size * count);
  return size * count;
}

void start(CURLM *multi, CURL *easy, const string &address, Search &search, curl_slist *headers) {
  string url = address + "/2/tweets/search/recent?query=" + search.tag + "&max_results=100";
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &search);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &search);
  curl_multi_add_handle(multi, easy);
}

// Asks for all pages, and reads each when it is whole.
void fetch(const string &address, std::deque<Search> &searches, size_t atOnce, Reader &reader) {
  curl_slist *headers = curl_slist_append(nullptr, "Authorization: Bearer t");
  CURLM *multi = curl_multi_init();
  size_t started = 0, left = searches.size();
  for (; started < std::min(atOnce, searches.size()); started++) {
    start(multi, curl_easy_init(), address, searches[started], headers);
  }
  while (left > 0) {
    int running;
    curl_multi_perform(multi, &running);
    int rest;
    while (CURLMsg *message = curl_multi_info_read(multi, &rest)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      Search *search;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &search);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status != 200) fail("a request failed");
      curl_multi_remove_handle(multi, easy);
      uint32_t index = uint32_t(strtoul(search->tag.c_str() + 3, nullptr, 10));
      reader.read(*search, index);
      left--;
      if (started < searches.size()) {
        start(multi, easy, address, searches[started++], headers);
      } else {
        curl_easy_cleanup(easy);
      }
    }
    if (left > 0) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
  curl_multi_cleanup(multi);
  curl_slist_free_all(headers);
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 5) fail("usage: yardstick ADDRESS SEARCHES AT-ONCE text|ndjson");
  string address = arguments[1];
  bool isJSON = string_view(arguments[4]) == "ndjson";
  curl_global_init(CURL_GLOBAL_ALL);
  std::deque<Search> searches(strtoul(arguments[2], nullptr, 10));
  for (size_t index = 0; index < searches.size(); index++) searches[index].tag = "tag" + std::to_string(index);
  Reader reader;
  try {
    fetch(address, searches, strtoul(arguments[3], nullptr, 10), reader);
  } catch (const simdjson::simdjson_error &error) {
    fail(error.what());
  }

  std::vector<uint32_t> order(reader.posts.size());
  for (uint32_t index = 0; index < order.size(); index++) order[index] = index;
  std::sort(order.begin(), order.end(), [&](uint32_t one, uint32_t other) {
    const Post &left = reader.posts[one], &right = reader.posts[other];
    if (left.milliseconds != right.milliseconds) return left.milliseconds > right.milliseconds;
    return left.id < right.id;
  });
  Output out;
  for (size_t index = 0; index < order.size(); index++) {
    Post &post = reader.posts[order[index]];
    std::sort(post.searches.begin(), post.searches.end());
    if (isJSON) {
      printJSON(post, searches, address, out);
    } else {
      if (index > 0) out.add('\n');
      printText(post, searches, out);
    }
    out.flush(1 << 18);
  }
  if (isJSON) printOutcomes(searches, address, out);
  out.flush(0);
}
