// A small C interface to simdjson: parse once, then read the tape that it wrote.
//
// The tape is simdjson's documented format (doc/tape.md): one 64-bit word an element, its type in the
// top byte, its payload in the lower 56 bits. Reading it needs no call, so a value costs Swift a load.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The bytes after a document that the parser may read (never write).
enum { CSIMDJSON_PADDING = 64 };

/// A parser with its own buffers, kept from one document to the next. One thread at a time.
typedef struct csimdjson_parser csimdjson_parser;

/// The result of a parse: 0 and the tape, or simdjson's error code.
/// The pointers are the parser's and hold until its next parse.
typedef struct {
  int32_t error;
  const uint64_t *_Nullable tape;
  const uint8_t *_Nullable strings;
} csimdjson_document;

/// Returns a new parser, or null if out of memory.
csimdjson_parser *_Nullable csimdjson_parser_create(void);
void csimdjson_parser_destroy(csimdjson_parser *_Nullable parser);

/// Parses `length` bytes, after which CSIMDJSON_PADDING more must be readable.
csimdjson_document csimdjson_parse(
    csimdjson_parser *_Nonnull parser, const uint8_t *_Nonnull bytes, size_t length);

/// Returns simdjson's own words for an error code, in static storage.
const char *_Nonnull csimdjson_message(int32_t error);

#ifdef __cplusplus
}
#endif

#endif
