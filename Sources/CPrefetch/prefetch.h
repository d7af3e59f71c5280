#pragma once

// Asks the processor to load the line of memory at an address into its cache; a hint that reads nothing and never
// fails, whatever the address is.
static inline __attribute__((always_inline)) void prefetch(const void *address) {
  __builtin_prefetch(address);
}
