// FTS5's unicode61, which also takes texts that are split into words already, so that other threads can do
// that. The words are the same: any program may read and write the index with its own unicode61.
#ifndef CSQLITE_WORDS_H
#define CSQLITE_WORDS_H

#include <sqlite3.h>

// A text that is split begins with this byte; each word in lower case follows its length.
enum { csqlite_split_mark = 1, csqlite_longest_word = 127 };

typedef struct {
  fts5_tokenizer usual;
  void *usual_context;
} csqlite_words_module;

typedef struct {
  const csqlite_words_module *module;
  Fts5Tokenizer *usual;
} csqlite_words;

static inline int csqlite_words_create(
    void *context, const char **arguments, int count, Fts5Tokenizer **result) {
  csqlite_words_module *module = context;
  csqlite_words *words = sqlite3_malloc(sizeof(csqlite_words));
  if (!words) return SQLITE_NOMEM;
  words->module = module;
  int code = module->usual.xCreate(module->usual_context, arguments, count, &words->usual);
  if (code != SQLITE_OK) {
    sqlite3_free(words);
    return code;
  }
  *result = (Fts5Tokenizer *)words;
  return SQLITE_OK;
}

static inline void csqlite_words_delete(Fts5Tokenizer *tokenizer) {
  csqlite_words *words = (csqlite_words *)tokenizer;
  words->module->usual.xDelete(words->usual);
  sqlite3_free(words);
}

// The lower case of each letter and digit; 0 for what is between words.
static const char csqlite_folded[128] = {
  ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4', ['5'] = '5', ['6'] = '6', ['7'] = '7',
  ['8'] = '8', ['9'] = '9', ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd', ['e'] = 'e', ['f'] = 'f',
  ['g'] = 'g', ['h'] = 'h', ['i'] = 'i', ['j'] = 'j', ['k'] = 'k', ['l'] = 'l', ['m'] = 'm', ['n'] = 'n',
  ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's', ['t'] = 't', ['u'] = 'u', ['v'] = 'v',
  ['w'] = 'w', ['x'] = 'x', ['y'] = 'y', ['z'] = 'z', ['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd',
  ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i', ['J'] = 'j', ['K'] = 'k', ['L'] = 'l',
  ['M'] = 'm', ['N'] = 'n', ['O'] = 'o', ['P'] = 'p', ['Q'] = 'q', ['R'] = 'r', ['S'] = 's', ['T'] = 't',
  ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x', ['Y'] = 'y', ['Z'] = 'z',
};

// Splits a text as unicode61 does, into room for two bytes more than it has. Returns the number of bytes; -1
// for a text that is not in ASCII, or has longer words.
static inline int csqlite_split_words(
    const unsigned char *text, int count, unsigned char *words) {
  int used = 0;
  words[used++] = csqlite_split_mark;
  for (int place = 0; place < count; place++) {
    int length = 0;
    for (; place < count; place++) {
      if (text[place] >= 0x80) return -1;
      unsigned char letter = (unsigned char)csqlite_folded[text[place]];
      if (!letter) break;
      words[used + ++length] = letter;
    }
    if (!length) continue;
    if (length > csqlite_longest_word) return -1;
    words[used] = (unsigned char)length;
    used += length + 1;
  }
  return used;
}

static inline int csqlite_words_tokenize(
    Fts5Tokenizer *tokenizer, void *context, int flags, const char *text, int count,
    int (*token)(void *, int, const char *, int, int, int)) {
  csqlite_words *words = (csqlite_words *)tokenizer;
  if (!count || text[0] != csqlite_split_mark) {
    return words->module->usual.xTokenize(words->usual, context, flags, text, count, token);
  }
  for (int place = 1; place < count;) {
    int length = text[place++];
    if (length < 1 || length > count - place) return SQLITE_MISUSE;
    int code = token(context, 0, text + place, length, place, place + length);
    if (code != SQLITE_OK) return code;
    place += length;
  }
  return SQLITE_OK;
}

// Takes the place of unicode61 on a connection that has not used an index yet.
static inline int csqlite_use_words(sqlite3 *database) {
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  int code = sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, 0);
  if (code == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
  }
  if (code != SQLITE_OK) return code;
  if (!api) return SQLITE_ERROR;
  csqlite_words_module *module = sqlite3_malloc(sizeof(csqlite_words_module));
  if (!module) return SQLITE_NOMEM;
  code = api->xFindTokenizer(api, "unicode61", &module->usual_context, &module->usual);
  fts5_tokenizer own = {csqlite_words_create, csqlite_words_delete, csqlite_words_tokenize};
  if (code == SQLITE_OK) code = api->xCreateTokenizer(api, "unicode61", module, &own, sqlite3_free);
  if (code != SQLITE_OK) sqlite3_free(module);
  return code;
}

#endif
