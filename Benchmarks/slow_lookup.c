// To be preloaded: names that end in `.slow` are looked up for three seconds, and then are unknown.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  size_t length = node ? strlen(node) : 0;
  if (length > 5 && !strcmp(node + length - 5, ".slow")) {
    sleep(3);
    return EAI_NONAME;
  }
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
      (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(
          RTLD_NEXT, "getaddrinfo");
  return real ? real(node, service, hints, result) : EAI_SYSTEM;
}
