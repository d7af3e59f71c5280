#pragma once

// What processors have instructions for, and Swift no words, or none that are compiled into such instructions.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Asks the processor to load the line of memory at an address into its cache; a hint that reads nothing and never
// fails, whatever the address is.
static inline __attribute__((always_inline)) void prefetch(const void *address) {
  __builtin_prefetch(address);
}

// Sixteen bytes: 0xFF for each that was sought, 0 for all others. The first byte of a number is its lowest.
struct marked_bytes {
  uint64_t first, second;
};

// Marks each of twice eight bytes that may begin a control code in UTF-8 (ControlCodes.swift), and, if asked, the
// quotation marks and backslashes of JSON.
static inline __attribute__((always_inline)) struct marked_bytes mark_codes(
    const void *first, const void *second, bool or_quotes) {
  typedef uint8_t bytes __attribute__((vector_size(16)));
  struct marked_bytes pair;
  memcpy(&pair.first, first, 8);
  memcpy(&pair.second, second, 8);
  bytes all;
  memcpy(&all, &pair, 16);
  bytes marked = (bytes)((all < 0x20) | (all == 0x7F) | ((all | 0x20) == 0xE2) | (all == 0xD8)
                         | (all == 0xEF) | (all == 0xF3));
  if (or_quotes) marked |= (bytes)((all == 0x22) | (all == 0x5C));
  memcpy(&pair, &marked, 16);
  return pair;
}

// Returns the position of the first byte that is marked, or a given number if none is.
static inline __attribute__((always_inline)) size_t first_of(
    struct marked_bytes marked, size_t first, size_t second, size_t none) {
  if (marked.first) return first + (size_t)__builtin_ctzll(marked.first) / 8;
  return marked.second ? second + (size_t)__builtin_ctzll(marked.second) / 8 : none;
}

// True if sixteen bytes are ASCII without control codes, as most are, and, if asked, without the quotation marks and
// backslashes of JSON: a third of the work of marking.
static inline __attribute__((always_inline)) bool are_plain(const void *start, bool or_quotes) {
  typedef int8_t bytes __attribute__((vector_size(16)));
  bytes all;
  memcpy(&all, start, 16);
  // What is not ASCII is negative.
  bytes marked = (bytes)((all < 0x20) | (all == 0x7F));
  if (or_quotes) marked |= (bytes)((all == 0x22) | (all == 0x5C));
  struct marked_bytes pair;
  memcpy(&pair, &marked, 16);
  return (pair.first | pair.second) == 0;
}

// Copies UTF-8 up to the first byte that may begin a control code or, if asked, is a quotation mark or a backslash of
// JSON, and returns the number of bytes before it. Some of the bytes after it may be copied, too.
static inline __attribute__((always_inline)) size_t copy_plain(
    uint8_t *to, const uint8_t *from, size_t count, bool or_quotes) {
  if (count >= 16) {
    // Sixteen at a time; the last ones together with those before them, which are plain.
    size_t position = 0;
    while (true) {
      memcpy(to + position, from + position, 16);
      if (!are_plain(from + position, or_quotes)) {
        size_t found = first_of(
            mark_codes(from + position, from + position + 8, or_quotes), position, position + 8, count);
        if (found < count) return found;
      }
      if (position + 16 == count) return count;
      position = position + 32 <= count ? position + 16 : count - 16;
    }
  }
  if (count >= 4) {
    // Both ends, which meet or overlap.
    size_t size = count >= 8 ? 8 : 4, second = count - size;
    uint64_t ends[2] = {0x2020202020202020, 0x2020202020202020};
    if (size == 8) {
      memcpy(&ends[0], from, 8);
      memcpy(&ends[1], from + second, 8);
      memcpy(to, &ends[0], 8);
      memcpy(to + second, &ends[1], 8);
    } else {
      memcpy(&ends[0], from, 4);
      memcpy(&ends[1], from + second, 4);
      memcpy(to, &ends[0], 4);
      memcpy(to + second, &ends[1], 4);
    }
    if (are_plain(ends, or_quotes)) return count;
    return first_of(mark_codes(&ends[0], &ends[1], or_quotes), 0, second, count);
  }
  for (size_t position = 0; position < count; position++) {
    uint8_t byte = from[position];
    // A byte beyond ASCII always stops the copy here: few texts are this short.
    if (byte < 0x20 || byte >= 0x7F || (or_quotes && (byte == 0x22 || byte == 0x5C))) return position;
    to[position] = byte;
  }
  return count;
}
