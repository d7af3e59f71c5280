// The dutiful C loop of ../../curl_loop.c on a thread of its own, for callers on other threads: as little as
// any client does whose callers are Swift tasks.
#include "CurlLoop.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
  char *start;
  size_t count;
};

struct exchange {
  struct bytes body;
  struct bytes head;
  CURL *easy;
  void *waiter;
  void (*resume)(void *);
  struct exchange *next;
};

static CURLM *multi;
static const char *target;
static struct curl_slist *lines;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct exchange *spare, *submitted;
static atomic_int asleep;

static size_t append(struct bytes *bytes, const char *piece, size_t count) {
  char *grown = realloc(bytes->start, bytes->count + count);
  if (!grown) return 0;
  memcpy(grown + bytes->count, piece, count);
  bytes->start = grown;
  bytes->count += count;
  return count;
}

static void empty(struct bytes *bytes) {
  free(bytes->start);
  bytes->start = NULL;
  bytes->count = 0;
}

static size_t receive_body(char *piece, size_t size, size_t count, void *user) {
  return append(&((struct exchange *)user)->body, piece, size * count);
}

static size_t receive_header(char *piece, size_t size, size_t count, void *user) {
  return append(&((struct exchange *)user)->head, piece, size * count);
}

static const CURLINFO details[] = {
    CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T,       CURLINFO_APPCONNECT_TIME_T,
    CURLINFO_PRETRANSFER_TIME_T, CURLINFO_STARTTRANSFER_TIME_T, CURLINFO_TOTAL_TIME_T,
    CURLINFO_SIZE_DOWNLOAD_T,    CURLINFO_CONTENT_LENGTH_DOWNLOAD_T,
};

static struct exchange *take_submitted(void) {
  pthread_mutex_lock(&lock);
  struct exchange *taken = submitted;
  submitted = NULL;
  pthread_mutex_unlock(&lock);
  return taken;
}

static struct exchange *conclude(CURLMsg *message) {
  struct exchange *exchange;
  long status = 0, reused = 0;
  curl_off_t detail, sum = 0;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &exchange);
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(message->easy_handle, CURLINFO_NUM_CONNECTS, &reused);
  for (size_t number = 0; number < sizeof details / sizeof *details; number++) {
    curl_easy_getinfo(message->easy_handle, details[number], &detail);
    sum += detail;
  }
  if (message->data.result != CURLE_OK || status != 200 || exchange->body.count == 0 ||
      exchange->head.count == 0 || sum == 0) {
    fprintf(stderr, "curl_loop: %s\n", curl_easy_strerror(message->data.result));
    exit(1);
  }
  empty(&exchange->body);
  empty(&exchange->head);
  curl_multi_remove_handle(multi, exchange->easy);
  return exchange;
}

static void *run(void *unused) {
  (void)unused;
  for (;;) {
    for (struct exchange *one = take_submitted(), *next; one; one = next) {
      next = one->next;
      curl_easy_setopt(one->easy, CURLOPT_URL, target);
      curl_multi_add_handle(multi, one->easy);
    }
    int active, queued;
    if (curl_multi_perform(multi, &active) != CURLM_OK) exit(1);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &queued)) != NULL) {
      struct exchange *one = conclude(message);
      void *waiter = one->waiter;
      void (*resume)(void *) = one->resume;
      pthread_mutex_lock(&lock);
      one->next = spare;
      spare = one;
      pthread_mutex_unlock(&lock);
      resume(waiter);
    }
    atomic_store(&asleep, 1);
    pthread_mutex_lock(&lock);
    int is_idle = submitted == NULL;
    pthread_mutex_unlock(&lock);
    if (is_idle) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    atomic_store(&asleep, 0);
  }
}

void curl_loop_start(const char *address, int at_once) {
  target = address;
  curl_global_init(CURL_GLOBAL_ALL);
  multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)at_once);
  lines = curl_slist_append(NULL, "User-Agent: curl_loop/1");
  lines = curl_slist_append(lines, "Accept-Encoding: deflate, gzip, br");
  for (int index = 0; index < at_once; index++) {
    struct exchange *one = calloc(1, sizeof *one);
    one->easy = curl_easy_init();
    curl_easy_setopt(one->easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(one->easy, CURLOPT_WRITEDATA, one);
    curl_easy_setopt(one->easy, CURLOPT_PRIVATE, one);
    curl_easy_setopt(one->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(one->easy, CURLOPT_HTTPHEADER, lines);
    curl_easy_setopt(one->easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(one->easy, CURLOPT_HEADERFUNCTION, receive_header);
    curl_easy_setopt(one->easy, CURLOPT_HEADERDATA, one);
    one->next = spare;
    spare = one;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
}

void curl_loop_send(void *waiter, void (*resume)(void *)) {
  pthread_mutex_lock(&lock);
  struct exchange *one = spare;
  spare = one->next;
  one->waiter = waiter;
  one->resume = resume;
  one->next = submitted;
  submitted = one;
  pthread_mutex_unlock(&lock);
  if (atomic_exchange(&asleep, 0)) curl_multi_wakeup(multi);
}
