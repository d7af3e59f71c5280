// SQLite for Swift: what takes a variable number of arguments or a cast that Swift cannot write.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include "words.h"
#include <sqlite3.h>

// SQLite copies the text, or the bytes, at once.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_bytes(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// SQLite reads the text, or the bytes, where they are.
static inline int csqlite_bind_borrowed_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int csqlite_bind_borrowed_bytes(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

// Leaves out counting the memory in use, for which each allocation takes a lock; before anything else.
static inline int csqlite_leave_memory_uncounted(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Whether closing the last connection leaves the write-ahead log as it is.
static inline int csqlite_keep_log(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

#endif
