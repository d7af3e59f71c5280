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
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using std::string;
using std::string_view;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

namespace {

[[noreturn]] void fail(string_view what) {
  fprintf(stderr, "yardstick: %.*s\n", int(what.size()), what.data());
  exit(1);
}

// A text in the bytes of its page.
struct Slice {
  uint32_t start = 0, count = 0;
};

struct Post {
  Slice id, text, language, handle, name;
  // In the lists of the page: the topics, and after them the links.
  uint32_t firstOfLists = 0;
  uint16_t topics = 0, links = 0;
  int64_t milliseconds = 0;
  uint64_t number = 0;
  int64_t likes = 0, reposts = 0, replies = 0, views = 0;
  bool isSensitive = false;
};

struct Page {
  string tag;
  std::vector<char> bytes;
  std::vector<Post> posts;
  std::vector<Slice> lists;

  string_view operator[](Slice slice) const { return {bytes.data() + slice.start, slice.count}; }

  Slice keep(string_view text) {
    Slice slice{uint32_t(bytes.size()), uint32_t(text.size())};
    bytes.insert(bytes.end(), text.begin(), text.end());
    return slice;
  }
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

// Sixteen bytes at once; a lane of a comparison is all ones where it holds.
typedef uint8_t Block __attribute__((vector_size(16)));

class Output {
 public:
  // Makes room for this many bytes, which can then be written without a check.
  void reserve(size_t more) {
    if (count + more <= room) return;
    room = std::max(room * 2, count + more);
    std::unique_ptr<char[]> larger(new char[room]);
    if (count > 0) memcpy(larger.get(), bytes.get(), count);
    bytes = std::move(larger);
  }

  void add(string_view text) {
    memcpy(bytes.get() + count, text.data(), text.size());
    count += text.size();
  }
  void add(char byte) { bytes[count++] = byte; }

  void add(int64_t value) {
    count = size_t(std::to_chars(bytes.get() + count, bytes.get() + count + 24, value).ptr - bytes.get());
  }

  void addDate(int64_t milliseconds) {
    int64_t days = milliseconds / 86400000 + 719468;
    uint32_t rest = uint32_t(milliseconds % 86400000);
    int64_t era = days / 146097;
    uint32_t dayOfEra = uint32_t(days - era * 146097);
    uint32_t yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
    uint32_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    uint32_t shifted = (5 * dayOfYear + 2) / 153, day = dayOfYear - (153 * shifted + 2) / 5 + 1;
    uint32_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    uint32_t year = uint32_t(yearOfEra + era * 400 + (month <= 2));
    char text[] = "0000-00-00T00:00:00.000Z";
    put(text, year / 100), put(text + 2, year % 100), put(text + 5, month), put(text + 8, day);
    put(text + 11, rest / 3600000), put(text + 14, rest / 60000 % 60), put(text + 17, rest / 1000 % 60);
    text[20] = char('0' + rest % 1000 / 100), put(text + 21, rest % 100);
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

  // Copies bytes to the first that needs a closer look: a control code, the leading byte of a longer one
  // or, in JSON, a quotation mark or backslash. Returns how many.
  template <bool isJSON>
  size_t copyPlain(string_view text) {
    size_t at = 0;
    char *place = bytes.get() + count;
    for (; at + 16 <= text.size(); at += 16) {
      Block block;
      memcpy(&block, text.data() + at, 16);
      memcpy(place + at, &block, 16);
      auto special = (block < 0x20) | (block == 0x7F) | (block == 0xC2) | (block == 0xD8) |
                     (block == 0xE2) | (block == 0xEF) | (block == 0xF3);
      if (isJSON) special |= (block == '"') | (block == '\\');
      uint64_t halves[2];
      memcpy(halves, &special, 16);
      if (halves[0] | halves[1]) {
        at += size_t(halves[0] ? __builtin_ctzll(halves[0]) : 64 + __builtin_ctzll(halves[1])) / 8;
        break;
      }
    }
    for (; at < text.size(); at++) {
      uint8_t byte = uint8_t(text[at]);
      if (byte < 0x20 || byte >= 0x7F || (isJSON && (byte == '"' || byte == '\\'))) break;
      place[at] = char(byte);
    }
    count += at;
    return at;
  }

  // Text on one line or, with an indent, on several, without control codes.
  void addText(string_view text, string_view indent = {}) {
    reserve(text.size() * (1 + indent.size()) + 16);
    while (true) {
      text.remove_prefix(copyPlain<false>(text));
      if (text.empty()) return;
      size_t length = control(text, 0);
      if (length == 0) {
        add(text[0]), length = 1;
      } else if (text[0] == '\n') {
        add(indent.empty() ? ' ' : '\n'), add(indent);
      } else if (text[0] == '\t') {
        add(' ');
      }
      text.remove_prefix(length);
    }
  }

  void addJSON(string_view text) {
    static const char digits[] = "0123456789abcdef";
    reserve(text.size() * 6 + 16);
    add('"');
    while (true) {
      text.remove_prefix(copyPlain<true>(text));
      if (text.empty()) break;
      uint8_t byte = text[0];
      if (byte >= 0x80) {
        if (control(text, 0) > 0) fail("a text has a control code that is not ASCII");
        add(char(byte));
      } else {
        add('\\');
        switch (byte) {
          case '\n': add('n'); break;
          case '\r': add('r'); break;
          case '\t': add('t'); break;
          case '"': case '\\': add(char(byte)); break;
          default: add("u00"), add(digits[byte >> 4]), add(digits[byte & 15]);
        }
      }
      text.remove_prefix(1);
    }
    add('"');
  }

  void flush(size_t threshold) {
    if (count < threshold) return;
    for (size_t done = 0; done < count;) {
      ssize_t written = write(STDOUT_FILENO, bytes.get() + done, count - done);
      if (written < 0) fail("cannot write");
      done += size_t(written);
    }
    count = 0;
  }

 private:
  static void put(char *place, uint32_t value) {
    place[0] = char('0' + value / 10), place[1] = char('0' + value % 10);
  }

  std::unique_ptr<char[]> bytes;
  size_t count = 0, room = 0;
};

// MARK: Answers

// Finds values by texts that are there while it is used.
template <typename Value>
class Index {
 public:
  void clear(size_t count) {
    size_t size = 16;
    while (size < count * 2) size *= 2;
    slots.assign(size, {});
  }

  // The value of a key, which is empty at first.
  std::pair<string_view, Value> &operator[](string_view key) {
    size_t at = std::hash<string_view>()(key);
    while (true) {
      auto &slot = slots[at++ & (slots.size() - 1)];
      if (slot.first.empty()) slot.first = key;
      if (slot.first == key) return slot;
    }
  }

 private:
  std::vector<std::pair<string_view, Value>> slots;
};

class Reader {
 public:
  // Reads an answer in one pass; its bytes must have room for the parser behind them.
  void read(string &body, Page &page) {
    auto answer = parser.iterate(body);
    page.bytes.reserve(body.size() / 2);
    authors.clear(), users.clear();
    for (auto member : answer.get_object()) {
      string_view key = member.unescaped_key();
      if (key == "data") {
        for (object item : member.value().get_array()) readPost(item, page);
      } else if (key == "includes") {
        for (auto kind : member.value().get_object()) {
          if (string_view(kind.unescaped_key()) != "users") continue;
          for (object item : kind.value().get_array()) readUser(item);
        }
      }
    }
    index.clear(users.size());
    for (const User &user : users) index[user.id].second = &user;
    for (size_t place = 0; place < authors.size(); place++) {
      const User *user = index[authors[place]].second;
      if (!user) fail("an author is missing");
      page.posts[place].handle = page.keep(user->handle);
      page.posts[place].name = page.keep(user->name);
    }
    page.bytes.shrink_to_fit();
  }

 private:
  struct User { string_view id, handle, name; };
  struct Address { string_view shown, whole; int64_t start; };
  struct Part { size_t at; string_view shown, whole; };

  simdjson::ondemand::parser parser;
  // Of the page that is read.
  std::vector<string_view> authors;
  std::vector<User> users;
  Index<const User *> index;
  // Of the post that is read.
  std::vector<Address> addresses;
  std::vector<Part> parts;

  void readUser(object item) {
    User user;
    for (auto member : item) {
      string_view key = member.unescaped_key();
      if (key == "id") user.id = member.value();
      else if (key == "username") user.handle = member.value();
      else if (key == "name") user.name = member.value();
    }
    users.push_back(user);
  }

  void readPost(object item, Page &page) {
    Post post;
    string_view id, first, text, author;
    post.firstOfLists = uint32_t(page.lists.size());
    addresses.clear();
    for (auto member : item) {
      string_view key = member.unescaped_key();
      value found = member.value();
      if (key == "id") id = found;
      else if (key == "text") text = found;
      else if (key == "author_id") author = found;
      else if (key == "lang") post.language = page.keep(found);
      else if (key == "created_at") post.milliseconds = milliseconds(found);
      else if (key == "possibly_sensitive") post.isSensitive = found;
      else if (key == "edit_history_tweet_ids") { for (string_view one : found.get_array()) { first = one; break; } }
      else if (key == "public_metrics") readCounts(found, post);
      else if (key == "entities") readEntities(found, post, page);
    }
    if (id != first) fail("a post was edited");
    post.number = uint64_t(number(id));
    post.id = page.keep(id);
    readText(post, text, page);
    page.posts.push_back(post);
    authors.push_back(author);
  }

  static void readCounts(object counts, Post &post) {
    for (auto member : counts) {
      string_view key = member.unescaped_key();
      if (key == "like_count") post.likes = member.value();
      else if (key == "retweet_count") post.reposts = member.value();
      else if (key == "reply_count") post.replies = member.value();
      else if (key == "impression_count") post.views = member.value();
    }
  }

  void readEntities(object entities, Post &post, Page &page) {
    for (auto member : entities) {
      string_view key = member.unescaped_key();
      if (key == "hashtags") {
        for (object hashtag : member.value().get_array()) {
          if (addOnce(string_view(hashtag["tag"]), post.firstOfLists, page)) post.topics++;
        }
      } else if (key == "urls") {
        for (object url : member.value().get_array()) {
          Address address{{}, {}, -1};
          for (auto part : url) {
            string_view name = part.unescaped_key();
            if (name == "url") address.shown = part.value();
            else if (name == "expanded_url") address.whole = part.value();
            else if (name == "start") address.start = part.value();
          }
          addresses.push_back(address);
        }
      }
    }
  }

  static bool addOnce(string_view text, size_t first, Page &page) {
    for (size_t at = first; at < page.lists.size(); at++) if (page[page.lists[at]] == text) return false;
    page.lists.push_back(page.keep(text));
    return true;
  }

  // The text with its short addresses expanded, and with the references to markup decoded.
  void readText(Post &post, string_view text, Page &page) {
    size_t firstLink = page.lists.size();
    parts.clear();
    for (const Address &address : addresses) {
      if (addOnce(address.whole, firstLink, page)) post.links++;
      if (size_t at = find(address.shown, text, address.start); at != string_view::npos) {
        parts.push_back({at, address.shown, address.whole});
      }
    }
    size_t start = page.bytes.size(), at = 0;
    for (const Part &part : parts) {
      decode(text.substr(at, part.at - at), page);
      page.keep(part.whole);
      at = part.at + part.shown.size();
    }
    decode(text.substr(at), page);
    post.text = {uint32_t(start), uint32_t(page.bytes.size() - start)};
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

  static void decode(string_view text, Page &page) {
    static const std::pair<string_view, char> references[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
    for (size_t at; (at = text.find('&')) != string_view::npos;) {
      page.keep(text.substr(0, at));
      text.remove_prefix(at);
      auto known = std::find_if(std::begin(references), std::end(references),
                                [&](auto &one) { return text.substr(0, one.first.size()) == one.first; });
      page.bytes.push_back(known == std::end(references) ? '&' : known->second);
      text.remove_prefix(known == std::end(references) ? 1 : known->first.size());
    }
    page.keep(text);
  }
};

// MARK: Merging

// A post in the order of the output: its date, its page, and its place there.
struct Place {
  int64_t milliseconds;
  uint32_t page, post;
  // The next copy in the list of copies, from 1; 0 for none.
  uint32_t copies = 0;
};

struct Copy { uint32_t page, next; };

struct Merged {
  std::vector<Place> places;
  std::vector<Copy> copies;
};

// The posts of all pages, newest first and each once, with the pages of its copies.
Merged merge(const std::vector<Page> &pages) {
  Merged merged;
  size_t count = 0, size = 16;
  for (const Page &page : pages) count += page.posts.size();
  while (size < count * 2) size *= 2;
  std::vector<uint32_t> slots(size, 0);
  merged.places.reserve(count);
  for (uint32_t page = 0; page < pages.size(); page++) {
    for (uint32_t post = 0; post < pages[page].posts.size(); post++) {
      uint64_t number = pages[page].posts[post].number;
      size_t at = (number * 0x9E3779B97F4A7C15ull) >> 20;
      while (true) {
        uint32_t &slot = slots[at++ & (size - 1)];
        if (slot == 0) {
          merged.places.push_back({pages[page].posts[post].milliseconds, page, post});
          slot = uint32_t(merged.places.size());
          break;
        }
        Place &place = merged.places[slot - 1];
        if (pages[place.page].posts[place.post].number != number) continue;
        uint32_t *last = &place.copies;
        while (*last) last = &merged.copies[*last - 1].next;
        *last = uint32_t(merged.copies.size() + 1);
        merged.copies.push_back({page, 0});
        break;
      }
    }
  }
  std::sort(merged.places.begin(), merged.places.end(), [&](const Place &one, const Place &other) {
    if (one.milliseconds != other.milliseconds) return one.milliseconds > other.milliseconds;
    const Page &left = pages[one.page], &right = pages[other.page];
    return left[left.posts[one.post].id] < right[right.posts[other.post].id];
  });
  return merged;
}

// MARK: Printing

// Calls with the tag of each page that has a post, and with whether it is the first.
template <typename Visit>
void visitTags(const Place &place, const Merged &merged, const std::vector<Page> &pages, Visit visit) {
  visit(pages[place.page].tag, true);
  for (uint32_t next = place.copies; next; next = merged.copies[next - 1].next) {
    visit(pages[merged.copies[next - 1].page].tag, false);
  }
}

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

// The most bytes of a post beside its texts and tags.
constexpr size_t roomForRest = 1024;

void printText(const Place &place, const Merged &merged, const std::vector<Page> &pages, Output &out) {
  const Page &page = pages[place.page];
  const Post &post = page.posts[place.post];
  string_view handle = page[post.handle], name = page[post.name];
  out.reserve(roomForRest);
  out.addDate(post.milliseconds), out.add("  x  @"), out.addText(handle);
  if (!name.empty() && name != handle) out.add(" ("), out.addText(name), out.reserve(roomForRest), out.add(')');
  if (post.isSensitive) out.add("  sensitive");
  visitTags(place, merged, pages, [&](string_view tag, bool isFirst) {
    out.add(isFirst ? "  " : ", "), out.addText(tag), out.reserve(roomForRest);
  });
  out.add("\n    "), out.addText(page[post.text], "    ");
  out.reserve(roomForRest + handle.size()), out.add('\n');
  addCounts(post, out);
  out.add("    https://x.com/"), out.add(handle), out.add("/status/"), out.add(page[post.id]), out.add('\n');
}

void printJSON(const Place &place, const Merged &merged, const std::vector<Page> &pages, string_view server,
               Output &out) {
  const Page &page = pages[place.page];
  const Post &post = page.posts[place.post];
  string_view id = page[post.id], handle = page[post.handle];
  auto member = [&](string_view key, string_view text) {
    out.add(key), out.addJSON(text), out.reserve(roomForRest + handle.size());
  };
  auto list = [&](string_view key, size_t first, size_t count) {
    for (size_t at = 0; at < count; at++) {
      out.add(at == 0 ? key : ","), out.addJSON(page[page.lists[first + at]]), out.reserve(roomForRest);
    }
    if (count > 0) out.add(']');
  };
  out.reserve(roomForRest);
  member("{\"id\":", id), out.add(",\"source\":\"x\""), member(",\"server\":", server);
  out.add(",\"url\":\"https://x.com/"), out.add(handle), out.add("/status/"), out.add(id);
  out.add("\",\"uri\":\"https://x.com/i/status/"), out.add(id);
  member("\",\"author\":{\"handle\":", handle), member(",\"name\":", page[post.name]);
  out.add(",\"url\":\"https://x.com/"), out.add(handle);
  member("\"},\"text\":", page[post.text]);
  out.add(",\"created_at\":\""), out.addDate(post.milliseconds);
  member("\",\"language\":", page[post.language]);
  visitTags(place, merged, pages, [&](string_view tag, bool isFirst) {
    member(isFirst ? ",\"tags\":[" : ",", tag);
  });
  out.add(']');
  list(",\"topics\":[", post.firstOfLists, post.topics);
  list(",\"links\":[", post.firstOfLists + post.topics, post.links);
  out.add(",\"counts\":{\"likes\":"), out.add(post.likes), out.add(",\"reposts\":"), out.add(post.reposts);
  out.add(",\"replies\":"), out.add(post.replies), out.add(",\"views\":"), out.add(post.views);
  out.add("},\"sensitive\":"), out.add(post.isSensitive ? "true}\n" : "false}\n");
}

void printOutcomes(const std::vector<Page> &pages, string_view server, Output &out) {
  out.reserve(roomForRest);
  out.add("{\"outcomes\":[");
  for (size_t index = 0; index < pages.size(); index++) {
    out.add(index == 0 ? "{\"tag\":" : ",{\"tag\":"), out.addJSON(pages[index].tag), out.reserve(roomForRest);
    out.add(",\"source\":\"x\",\"server\":"), out.addJSON(server), out.reserve(roomForRest);
    out.add(",\"outcome\":\"completed\",\"posts\":"), out.add(int64_t(pages[index].posts.size()));
    out.add(",\"pages\":1}");
  }
  out.add("],\"incomplete\":false}\n");
}

// MARK: Transfers

struct Transfer {
  string body;
  Page *page = nullptr;
};

size_t receive(char *bytes, size_t size, size_t count, void *transfer) {
  static_cast<Transfer *>(transfer)->body.append(bytes, size * count);
  return size * count;
}

void start(CURLM *multi, CURL *easy, const string &address, Transfer &transfer, Page &page,
           curl_slist *headers) {
  transfer.body.clear(), transfer.page = &page;
  string url = address + "/2/tweets/search/recent?query=" + page.tag + "&max_results=100";
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 131072L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
  curl_multi_add_handle(multi, easy);
}

// Asks for all pages, and reads each when it is whole.
void fetch(const string &address, std::vector<Page> &pages, size_t atOnce) {
  Reader reader;
  curl_slist *headers = curl_slist_append(nullptr, "Authorization: Bearer t");
  CURLM *multi = curl_multi_init();
  std::vector<Transfer> transfers(std::min(atOnce, pages.size()));
  size_t started = 0, left = pages.size();
  for (Transfer &transfer : transfers) {
    start(multi, curl_easy_init(), address, transfer, pages[started++], headers);
  }
  while (left > 0) {
    int running;
    curl_multi_perform(multi, &running);
    int rest;
    while (CURLMsg *message = curl_multi_info_read(multi, &rest)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      Transfer *transfer;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status != 200) fail("a request failed");
      curl_multi_remove_handle(multi, easy);
      transfer->body.reserve(transfer->body.size() + simdjson::SIMDJSON_PADDING);
      reader.read(transfer->body, *transfer->page);
      left--;
      if (started < pages.size()) {
        start(multi, easy, address, *transfer, pages[started++], headers);
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
  std::vector<Page> pages(strtoul(arguments[2], nullptr, 10));
  for (size_t index = 0; index < pages.size(); index++) pages[index].tag = "tag" + std::to_string(index);
  try {
    fetch(address, pages, strtoul(arguments[3], nullptr, 10));
  } catch (const simdjson::simdjson_error &error) {
    fail(error.what());
  }

  Merged merged = merge(pages);
  Output out;
  bool isFirst = true;
  for (const Place &place : merged.places) {
    if (isJSON) {
      printJSON(place, merged, pages, address, out);
    } else {
      out.reserve(1);
      if (!isFirst) out.add('\n');
      printText(place, merged, pages, out);
    }
    isFirst = false;
    out.flush(1 << 18);
  }
  if (isJSON) printOutcomes(pages, address, out);
  out.flush(0);
  _exit(0);
}
