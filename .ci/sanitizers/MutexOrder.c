// Tells ThreadSanitizer what the slow paths of Swift's Mutex order.
//
// Synchronization.Mutex is a futex. Its fast path is compiled into whoever uses it, where
// ThreadSanitizer sees the atomic operations; when two threads meet, it calls into
// libswiftSynchronization, which is not instrumented: what one thread did inside the lock then looks
// unordered with what the next one does, and every contended lock is reported as a race. PlantedRace.swift
// shows it. No report is suppressed here: linked into a program, these two functions stand before the
// library's, call them, and add the missing order, so that races outside of the lock are still found.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow().
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Methods of Swift: the handle comes as `self`, in a register of its own.
typedef __attribute__((swiftcall)) void (*lock_slow_t)(
    uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void (*unlock_slow_t)(
    __attribute__((swift_context)) void *handle);

static lock_slow_t library_lock_slow;
static unlock_slow_t library_unlock_slow;

static void *library_function(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function) return function;
  fprintf(stderr, "MutexOrder: this Swift has no %s\n", name);
  abort();
}

__attribute__((constructor)) static void find_library_functions(void) {
  library_lock_slow = (lock_slow_t)library_function(LOCK_SLOW);
  library_unlock_slow = (unlock_slow_t)library_function(UNLOCK_SLOW);
}

// The fast paths are atomic operations on the handle's first word, its address: what these two say of
// the same address is in one order with them.
__attribute__((swiftcall)) void lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *handle) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *handle) {
  library_lock_slow(thread, handle);
  __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlock_slow(
    __attribute__((swift_context)) void *handle) __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
  __tsan_release(handle);
  library_unlock_slow(handle);
}
