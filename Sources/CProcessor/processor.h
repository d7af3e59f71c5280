#pragma once

// What processors have instructions for, and Swift no words, or none that are compiled into such instructions.

#include <stdbool.h>
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
