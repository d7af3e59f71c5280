// A loopback HTTP/1.1 server that is not the bottleneck: one thread, epoll, no allocation for a request.
//
//   server [FOLDER]
//
// Prints its port and serves until it is ended by a signal. The path says what becomes of a request:
//
//   /stall     no answer, ever            /reset     the connection is reset
//   /empty     closed without an answer   /cut       closed within the body
//   /garbage   no HTTP                    /chunk     a chunk of malformed length
//   /redirect  302 to /                   /busy      503
//   /late      answered after 5 ms        /large     100,000 bytes
//   any other  200 and 66 bytes
//
// A path with `query=tagN` is answered with the file N.json of the folder, which was read before, or after the
// last one with the first ones again.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { connection_limit = 65536, head_limit = 4096, large = 100000, late_milliseconds = 5 };

struct connection {
  char head[head_limit];
  size_t read;          // bytes in `head`
  const char *answer;   // what is left to be sent
  size_t unsent;
  int closes;           // whether it is closed when all is sent
  unsigned generation;  // counts the connections that had this descriptor
};

// Answers that wait, in the order in which they are due: all wait equally long.
struct late {
  int descriptor;
  unsigned generation;
  long long due;
};

static struct connection *connections[connection_limit];
static struct late late_answers[connection_limit];
static unsigned late_first, late_end;
static int epoll;
static char large_answer[large + 256];
static size_t large_length;

// The answers read from files, heads included.
static struct { char *text; size_t length; } *pages;
static size_t page_count;

static const char small_answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 66\r\n\r\n"
    "{\"id\":\"1795176000000\",\"text\":\"what is being said\",\"likes\":[12345]}";

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static long long milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static void close_connection(int descriptor, int resets) {
  if (resets) {
    struct linger linger = {1, 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  }
  connections[descriptor]->generation += 1;
  close(descriptor);
}

// Sends what is left; returns 0 when the connection is closed.
static int flush(int descriptor) {
  struct connection *connection = connections[descriptor];
  while (connection->unsent > 0) {
    ssize_t count = send(descriptor, connection->answer, connection->unsent, MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EAGAIN) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.fd = descriptor};
        epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
        return 1;
      }
      close_connection(descriptor, 0);
      return 0;
    }
    connection->answer += count;
    connection->unsent -= (size_t)count;
  }
  if (!connection->closes) return 1;
  close_connection(descriptor, 0);
  return 0;
}

static int answer(int descriptor, const char *text, size_t length, int closes) {
  connections[descriptor]->answer = text;
  connections[descriptor]->unsent = length;
  connections[descriptor]->closes = closes;
  return flush(descriptor);
}

#define ANSWER(text, closes) answer(descriptor, text, sizeof text - 1, closes)

static void read_pages(const char *folder) {
  for (;;) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%zu.json", folder, page_count);
    FILE *file = fopen(path, "r");
    if (!file) return;
    pages = realloc(pages, (page_count + 1) * sizeof *pages);
    if (!pages || fseek(file, 0, SEEK_END) < 0) fail(path);
    long length = ftell(file);
    char *text = length < 0 ? NULL : malloc((size_t)length + 256);
    if (!text) fail(path);
    int head = sprintf(
        text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %ld\r\n\r\n", length);
    rewind(file);
    if (fread(text + head, 1, (size_t)length, file) != (size_t)length) fail(path);
    fclose(file);
    pages[page_count].text = text;
    pages[page_count++].length = (size_t)(head + length);
  }
}

// Does what the path of a request says; returns 0 when the connection is closed.
static int serve(int descriptor, const char *path) {
  if (!strncmp(path, "/stall", 6)) return 1;
  if (!strncmp(path, "/reset", 6) || !strncmp(path, "/empty", 6)) {
    close_connection(descriptor, path[1] == 'r');
    return 0;
  }
  if (!strncmp(path, "/cut", 4)) {
    return ANSWER("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nnot all of it", 1);
  }
  if (!strncmp(path, "/garbage", 8)) return ANSWER("\x15\x03\x01 nothing of HTTP\r\n\r\n", 1);
  if (!strncmp(path, "/chunk", 6)) {
    return ANSWER("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\nx\r\n", 1);
  }
  if (!strncmp(path, "/redirect", 9)) {
    return ANSWER("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", 0);
  }
  if (!strncmp(path, "/busy", 5)) {
    return ANSWER("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", 0);
  }
  if (!strncmp(path, "/large", 6)) return answer(descriptor, large_answer, large_length, 0);
  if (!strncmp(path, "/late", 5)) {
    struct late *late = &late_answers[late_end++ % connection_limit];
    *late = (struct late){
        descriptor, connections[descriptor]->generation, milliseconds() + late_milliseconds};
    return 1;
  }
  const char *query = page_count > 0 ? strstr(path, "query=tag") : NULL;
  if (query) {
    size_t page = strtoul(query + strlen("query=tag"), NULL, 10);
    page %= page_count;
    return answer(descriptor, pages[page].text, pages[page].length, 0);
  }
  return ANSWER(small_answer, 0);
}

static void answer_late(void) {
  long long now = milliseconds();
  while (late_first != late_end && late_answers[late_first % connection_limit].due <= now) {
    struct late late = late_answers[late_first++ % connection_limit];
    if (connections[late.descriptor]->generation != late.generation) continue;
    answer(late.descriptor, small_answer, sizeof small_answer - 1, 0);
  }
}

static void read_requests(int descriptor) {
  struct connection *connection = connections[descriptor];
  for (;;) {
    ssize_t count = recv(
        descriptor, connection->head + connection->read, head_limit - 1 - connection->read, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      close_connection(descriptor, 0);
      return;
    }
    connection->read += (size_t)count;
    connection->head[connection->read] = 0;
    char *end;
    while ((end = strstr(connection->head, "\r\n\r\n")) != NULL) {
      char *path = strchr(connection->head, ' ');
      if (!serve(descriptor, path && path < end ? path + 1 : "/")) return;
      connection->read -= (size_t)(end + 4 - connection->head);
      memmove(connection->head, end + 4, connection->read + 1);
    }
    if (connection->read == head_limit - 1) {
      close_connection(descriptor, 0);
      return;
    }
  }
}

static void accept_all(int listener) {
  int one = 1;
  for (;;) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (descriptor < 0) return;
    if (descriptor >= connection_limit) {
      close(descriptor);
      continue;
    }
    if (!connections[descriptor]) connections[descriptor] = calloc(1, sizeof(struct connection));
    if (!connections[descriptor]) fail("calloc");
    connections[descriptor]->read = 0;
    connections[descriptor]->unsent = 0;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("epoll_ctl");
  }
}

int main(int count, char **arguments) {
  if (count > 1) read_pages(arguments[1]);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  large_length = (size_t)sprintf(
      large_answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", (int)large);
  memset(large_answer + large_length, 'x', large);
  large_length += large;

  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 ||
      listen(listener, 4096) < 0 || getsockname(listener, (struct sockaddr *)&address, &length) < 0)
    fail("listen");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0) fail("epoll");
  for (;;) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, late_first == late_end ? -1 : 1);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    for (int index = 0; index < count; index++) {
      int descriptor = events[index].data.fd;
      if (descriptor == listener) {
        accept_all(listener);
        continue;
      }
      if (connections[descriptor]->unsent > 0) {
        if (!(events[index].events & EPOLLOUT)) {
          if (events[index].events & (EPOLLERR | EPOLLHUP)) close_connection(descriptor, 1);
          continue;
        }
        if (!flush(descriptor) || connections[descriptor]->unsent > 0) continue;
        struct epoll_event input = {.events = EPOLLIN, .data.fd = descriptor};
        epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &input);
      }
      read_requests(descriptor);
    }
    answer_late();
  }
}
