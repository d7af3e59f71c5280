// zlib for Swift: the macros that it cannot call, as functions.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

static inline int czlib_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

// For tests and fuzzers, which need bodies of every kind.
static inline int czlib_deflate_init(z_stream *stream, int window_bits) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
